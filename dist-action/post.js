import {
  Runner,
  endJob
} from "./chunk-3NENUQD6.js";
import "./chunk-CNYRAKAU.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
