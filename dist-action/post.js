import {
  Runner,
  endJob
} from "./chunk-NATSJ3L7.js";
import "./chunk-PNLSYRU5.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
