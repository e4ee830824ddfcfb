import {
  Runner,
  runStep
} from "./chunk-M637L66V.js";
import "./chunk-RIFMZGP3.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
