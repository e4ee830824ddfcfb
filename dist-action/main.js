import {
  Runner,
  runStep
} from "./chunk-BQUAWVPF.js";
import "./chunk-KQSM2COL.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
