import {
  Runner,
  endJob
} from "./chunk-CVIFHQDZ.js";
import "./chunk-Y52SCQRW.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
