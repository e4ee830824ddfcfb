import {
  Runner,
  endJob
} from "./chunk-RU4SQP36.js";
import "./chunk-CNYRAKAU.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
