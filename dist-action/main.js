import {
  Runner,
  runStep
} from "./chunk-6KSSS35X.js";
import "./chunk-PQVII3QX.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
