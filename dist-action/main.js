import {
  Runner,
  runStep
} from "./chunk-ZLAJUG4K.js";
import "./chunk-TELP5VPY.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
