import {
  Runner,
  endJob
} from "./chunk-ZDFCJTCX.js";
import "./chunk-LV6LFEY2.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
