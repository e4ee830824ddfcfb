import {
  Runner,
  endJob
} from "./chunk-NIVZASGW.js";
import "./chunk-6NGAULK2.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
