import {
  Runner,
  endJob
} from "./chunk-3P5FAD43.js";
import "./chunk-RFK2QYFF.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
