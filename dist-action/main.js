import {
  Runner,
  runStep
} from "./chunk-3P5FAD43.js";
import "./chunk-RFK2QYFF.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
