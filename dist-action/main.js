import {
  Runner,
  runStep
} from "./chunk-5GS4JR7J.js";
import "./chunk-4UTNN6YK.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
