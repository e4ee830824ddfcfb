import {
  Runner,
  runStep
} from "./chunk-WDVOCAXM.js";
import "./chunk-GLQF5JHJ.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
