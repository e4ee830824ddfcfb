import {
  Runner,
  endJob
} from "./chunk-UFOLRSI5.js";
import "./chunk-P7NBKBQD.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
