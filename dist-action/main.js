import {
  Runner,
  runStep
} from "./chunk-3NENUQD6.js";
import "./chunk-CNYRAKAU.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
