import {
  Runner,
  endJob
} from "./chunk-BYHI6MTM.js";
import "./chunk-7GQRX4K2.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
