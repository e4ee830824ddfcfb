import {
  Runner,
  endJob
} from "./chunk-PJUZY4TY.js";
import "./chunk-JQGL3DGL.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
