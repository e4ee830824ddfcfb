import {
  Runner,
  endJob
} from "./chunk-UU5XRANA.js";
import "./chunk-OUXCEVGO.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
