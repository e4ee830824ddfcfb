import {
  Runner,
  endJob
} from "./chunk-P5LI4CHQ.js";
import "./chunk-VY6Y2TDA.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
