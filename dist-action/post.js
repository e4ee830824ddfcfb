import {
  Runner,
  endJob
} from "./chunk-H36KW2ID.js";
import "./chunk-VR4UNYAH.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
