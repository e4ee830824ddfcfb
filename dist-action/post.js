import {
  Runner,
  endJob
} from "./chunk-YKEFXIGP.js";
import "./chunk-7DQEI3IK.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
