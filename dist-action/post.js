import {
  Runner,
  endJob
} from "./chunk-SDENH2RQ.js";
import "./chunk-OM7PF73O.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
