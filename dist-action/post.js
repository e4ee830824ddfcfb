import {
  Runner,
  endJob
} from "./chunk-5GS4JR7J.js";
import "./chunk-4UTNN6YK.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
