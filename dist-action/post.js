import {
  Runner,
  endJob
} from "./chunk-WP777OPJ.js";
import "./chunk-PNLSYRU5.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
