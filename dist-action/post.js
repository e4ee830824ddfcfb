import {
  Runner,
  endJob
} from "./chunk-5ERY57PF.js";
import "./chunk-Z5NVDMYM.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
