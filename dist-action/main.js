import {
  Runner,
  runStep
} from "./chunk-ILLBTKW7.js";
import "./chunk-GBJCUOUK.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
