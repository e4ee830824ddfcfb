import {
  Runner,
  runStep
} from "./chunk-ZISREV2R.js";
import "./chunk-GBJCUOUK.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
