import {
  Runner,
  endJob
} from "./chunk.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
