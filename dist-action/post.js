import {
  Runner,
  endJob
} from "./chunk-656ZA4D5.js";
import "./chunk-WG7XRN34.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
