import {
  Runner,
  runStep
} from "./chunk.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
