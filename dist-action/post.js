import {
  Runner,
  endJob
} from "./chunk-PC7IFWSZ.js";
import "./chunk-GH36JY4P.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
