import {
  Runner,
  runStep
} from "./chunk-L7J4RPUN.js";
import "./chunk-4UTNN6YK.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
