import {
  Runner,
  endJob
} from "./chunk-BQUAWVPF.js";
import "./chunk-KQSM2COL.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
