import {
  Runner,
  endJob
} from "./chunk-2GTUGV4B.js";
import "./chunk-CNYRAKAU.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
