import {
  Runner,
  endJob
} from "./chunk-TYI7GQJZ.js";
import "./chunk-UHYF37K3.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
