import {
  Runner,
  runStep
} from "./chunk-PC7IFWSZ.js";
import "./chunk-GH36JY4P.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
