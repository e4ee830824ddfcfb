import {
  Runner,
  endJob
} from "./chunk-AKIBUG3J.js";
import "./chunk-2OZITS66.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
