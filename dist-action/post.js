import {
  Runner,
  endJob
} from "./chunk-M637L66V.js";
import "./chunk-RIFMZGP3.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
