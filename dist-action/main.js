import {
  Runner,
  runStep
} from "./chunk-77W6UV3Q.js";
import "./chunk-UHYF37K3.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
