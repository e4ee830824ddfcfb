import {
  Runner,
  endJob
} from "./chunk-K5472DIS.js";
import "./chunk-7UZAN4GY.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
