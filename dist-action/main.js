import {
  Runner,
  runStep
} from "./chunk-BMQC27UU.js";
import "./chunk-FIWWIYNG.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
