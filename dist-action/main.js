import {
  Runner,
  runStep
} from "./chunk-HCZHLXMO.js";
import "./chunk-FIWWIYNG.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
