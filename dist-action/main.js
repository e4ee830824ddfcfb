import {
  Runner,
  runStep
} from "./chunk-P5LI4CHQ.js";
import "./chunk-VY6Y2TDA.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
