import {
  Runner,
  endJob
} from "./chunk-3TZB4IG4.js";
import "./chunk-E6L3A37L.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
