import {
  Runner,
  endJob
} from "./chunk-HCZHLXMO.js";
import "./chunk-FIWWIYNG.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
