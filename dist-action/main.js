import {
  Runner,
  runStep
} from "./chunk-EXJXNKYL.js";
import "./chunk-KJT72BDE.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
