import {
  Runner,
  endJob
} from "./chunk-SPAOMB7R.js";
import "./chunk-XFDW7HTQ.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
