import {
  Runner,
  runStep
} from "./chunk-3M4TXNIV.js";
import "./chunk-TELP5VPY.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
