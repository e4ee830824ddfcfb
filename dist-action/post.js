import {
  Runner,
  endJob
} from "./chunk-66Y27ZJN.js";
import "./chunk-IAYXVXTJ.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
