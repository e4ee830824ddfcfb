import {
  Runner,
  runStep
} from "./chunk-YKEFXIGP.js";
import "./chunk-7DQEI3IK.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
