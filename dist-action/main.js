import {
  Runner,
  runStep
} from "./chunk-73EMG7JL.js";
import "./chunk-4X67QSV6.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
