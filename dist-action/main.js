import {
  Runner,
  runStep
} from "./chunk-5YWBGZSS.js";
import "./chunk-NYTMYHUQ.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
