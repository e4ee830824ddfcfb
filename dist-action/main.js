import {
  Runner,
  runStep
} from "./chunk-PJUZY4TY.js";
import "./chunk-JQGL3DGL.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
