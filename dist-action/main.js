import {
  Runner,
  runStep
} from "./chunk-YZ56JW7X.js";
import "./chunk-VONZUYWY.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
