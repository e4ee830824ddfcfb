import {
  Runner,
  runStep
} from "./chunk-RU4SQP36.js";
import "./chunk-CNYRAKAU.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
