import {
  Runner,
  runStep
} from "./chunk-SDENH2RQ.js";
import "./chunk-OM7PF73O.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
