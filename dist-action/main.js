import {
  Runner,
  runStep
} from "./chunk-UU5XRANA.js";
import "./chunk-OUXCEVGO.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
