import {
  Runner,
  endJob
} from "./chunk-ZLT4SJRK.js";
import "./chunk-DPSK7RSG.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
