import {
  Runner,
  endJob
} from "./chunk-BJIXURQR.js";
import "./chunk-G6WBRWS5.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
