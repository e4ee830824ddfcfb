import {
  Runner,
  runStep
} from "./chunk-T2VWSY7Y.js";
import "./chunk-VONZUYWY.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
