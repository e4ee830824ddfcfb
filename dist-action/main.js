import {
  Runner,
  runStep
} from "./chunk-7C3V5HGH.js";
import "./chunk-AYKMLP66.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
