import {
  Runner,
  runStep
} from "./chunk-3R756P7L.js";
import "./chunk-ZR7YEE4V.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
