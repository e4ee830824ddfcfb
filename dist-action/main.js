import {
  Runner,
  runStep
} from "./chunk-TYI7GQJZ.js";
import "./chunk-UHYF37K3.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
