import {
  Runner,
  endJob
} from "./chunk-M6HAIFTU.js";
import "./chunk-RFK2QYFF.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
