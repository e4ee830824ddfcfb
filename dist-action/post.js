import {
  Runner,
  endJob
} from "./chunk-3R756P7L.js";
import "./chunk-ZR7YEE4V.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
