import {
  Runner,
  runStep
} from "./chunk-MGF5BKL6.js";
import "./chunk-7NMP7FJZ.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
