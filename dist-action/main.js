import {
  Runner,
  runStep
} from "./chunk-NATSJ3L7.js";
import "./chunk-PNLSYRU5.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
