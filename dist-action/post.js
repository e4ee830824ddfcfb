import {
  Runner,
  endJob
} from "./chunk-5YZS6ZSR.js";
import "./chunk-KJT72BDE.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
