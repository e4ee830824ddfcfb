import {
  Runner,
  runStep
} from "./chunk-ZLT4SJRK.js";
import "./chunk-DPSK7RSG.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
