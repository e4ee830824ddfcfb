import {
  Runner,
  runStep
} from "./chunk-SPAOMB7R.js";
import "./chunk-XFDW7HTQ.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
