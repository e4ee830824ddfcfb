import {
  Runner,
  endJob
} from "./chunk-7C3V5HGH.js";
import "./chunk-AYKMLP66.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
