import {
  Runner,
  runStep
} from "./chunk-5ERY57PF.js";
import "./chunk-Z5NVDMYM.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
