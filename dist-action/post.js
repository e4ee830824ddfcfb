import {
  Runner,
  endJob
} from "./chunk-ILLBTKW7.js";
import "./chunk-GBJCUOUK.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
