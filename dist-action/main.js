import {
  Runner,
  runStep
} from "./chunk-G5MBWLQC.js";
import "./chunk-W4PFA5TZ.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
