import {
  Runner,
  runStep
} from "./chunk-BYHI6MTM.js";
import "./chunk-7GQRX4K2.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
