import {
  Runner,
  endJob
} from "./chunk-MGF5BKL6.js";
import "./chunk-7NMP7FJZ.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
