import {
  Runner,
  endJob
} from "./chunk-TOYCXEE7.js";
import "./chunk-RFBX2LJI.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
