import {
  Runner,
  runStep
} from "./chunk-UFOLRSI5.js";
import "./chunk-P7NBKBQD.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
