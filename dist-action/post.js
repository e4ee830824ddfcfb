import {
  Runner,
  endJob
} from "./chunk-SQYOW2HM.js";
import "./chunk-BTNXJMB4.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
