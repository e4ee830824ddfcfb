import {
  Runner,
  runStep
} from "./chunk-BJIXURQR.js";
import "./chunk-G6WBRWS5.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
