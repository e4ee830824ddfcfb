import {
  Runner,
  runStep
} from "./chunk-A4Z5YQ5U.js";
import "./chunk-TELP5VPY.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
