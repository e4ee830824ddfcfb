import {
  Runner,
  endJob
} from "./chunk-G5MBWLQC.js";
import "./chunk-W4PFA5TZ.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
