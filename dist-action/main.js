import {
  Runner,
  runStep
} from "./chunk-CVIFHQDZ.js";
import "./chunk-Y52SCQRW.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
