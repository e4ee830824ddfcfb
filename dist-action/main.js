import {
  Runner,
  runStep
} from "./chunk-66Y27ZJN.js";
import "./chunk-IAYXVXTJ.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
