import {
  Runner,
  runStep
} from "./chunk-SPFQEEZF.js";
import "./chunk-RXSWIFNZ.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
