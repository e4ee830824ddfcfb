import {
  Runner,
  endJob
} from "./chunk-L7J4RPUN.js";
import "./chunk-4UTNN6YK.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
