import {
  Runner,
  runStep
} from "./chunk-YEYTKWDQ.js";
import "./chunk-MEJSNH7Z.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
