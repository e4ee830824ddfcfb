import {
  Runner,
  runStep
} from "./chunk-AKIBUG3J.js";
import "./chunk-2OZITS66.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
