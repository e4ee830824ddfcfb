import {
  Runner,
  runStep
} from "./chunk-R6XWRPKS.js";
import "./chunk-EMG4JSPA.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
