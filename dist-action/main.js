import {
  Runner,
  runStep
} from "./chunk-SQYOW2HM.js";
import "./chunk-BTNXJMB4.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
