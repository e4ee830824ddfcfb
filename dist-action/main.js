import {
  Runner,
  runStep
} from "./chunk-M6ITH5J6.js";
import "./chunk-XAV7JBSP.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
