import {
  Runner,
  endJob
} from "./chunk-73EMG7JL.js";
import "./chunk-4X67QSV6.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
