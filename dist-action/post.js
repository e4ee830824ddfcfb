import {
  Runner,
  endJob
} from "./chunk-N255CQ7X.js";
import "./chunk-GBJCUOUK.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
