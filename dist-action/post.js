import {
  Runner,
  endJob
} from "./chunk-VYDSXPWX.js";
import "./chunk-7UZAN4GY.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
