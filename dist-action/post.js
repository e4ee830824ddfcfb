import {
  Runner,
  endJob
} from "./chunk-5YWBGZSS.js";
import "./chunk-NYTMYHUQ.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
