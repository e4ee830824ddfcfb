import {
  Runner,
  endJob
} from "./chunk-YEYTKWDQ.js";
import "./chunk-MEJSNH7Z.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
