import {
  Runner,
  endJob
} from "./chunk-YTLYE6KB.js";
import "./chunk-VFCMFNY7.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
