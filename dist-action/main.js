import {
  Runner,
  runStep
} from "./chunk-LQH3K3LV.js";
import "./chunk-TELP5VPY.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
