import {
  Runner,
  endJob
} from "./chunk-6KSSS35X.js";
import "./chunk-PQVII3QX.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
