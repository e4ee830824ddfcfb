import {
  Runner,
  endJob
} from "./chunk-WDVOCAXM.js";
import "./chunk-GLQF5JHJ.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
