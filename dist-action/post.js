import {
  Runner,
  endJob
} from "./chunk-VEWLWEFG.js";
import "./chunk-XFDW7HTQ.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
