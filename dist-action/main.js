import {
  Runner,
  runStep
} from "./chunk-H36KW2ID.js";
import "./chunk-VR4UNYAH.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
