import {
  Runner,
  endJob
} from "./chunk-M6ITH5J6.js";
import "./chunk-XAV7JBSP.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
