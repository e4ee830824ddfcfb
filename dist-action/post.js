import {
  Runner,
  endJob
} from "./chunk-SPFQEEZF.js";
import "./chunk-RXSWIFNZ.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
