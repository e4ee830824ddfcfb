import {
  Runner,
  runStep
} from "./chunk-656ZA4D5.js";
import "./chunk-WG7XRN34.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
