import {
  Runner,
  runStep
} from "./chunk-YTLYE6KB.js";
import "./chunk-VFCMFNY7.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
