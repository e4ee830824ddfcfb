import {
  Runner,
  runStep
} from "./chunk-ZDFCJTCX.js";
import "./chunk-LV6LFEY2.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
