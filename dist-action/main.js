import {
  Runner,
  runStep
} from "./chunk-VYDSXPWX.js";
import "./chunk-7UZAN4GY.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
