import {
  Runner,
  endJob
} from "./chunk-EXJXNKYL.js";
import "./chunk-KJT72BDE.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
