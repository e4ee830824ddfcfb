import {
  Runner,
  endJob
} from "./chunk-R6XWRPKS.js";
import "./chunk-EMG4JSPA.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
