import {
  Runner,
  runStep
} from "./chunk-TOYCXEE7.js";
import "./chunk-RFBX2LJI.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
