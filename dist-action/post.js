import {
  Runner,
  endJob
} from "./chunk-3M4TXNIV.js";
import "./chunk-TELP5VPY.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
