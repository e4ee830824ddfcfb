import {
  Runner,
  endJob
} from "./chunk-YZ56JW7X.js";
import "./chunk-VONZUYWY.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
