import {
  Runner,
  endJob
} from "./chunk-ZISREV2R.js";
import "./chunk-GBJCUOUK.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
