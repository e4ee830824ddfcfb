import {
  Runner,
  runStep
} from "./chunk-3TZB4IG4.js";
import "./chunk-E6L3A37L.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
