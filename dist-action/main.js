import {
  Runner,
  runStep
} from "./chunk-NIVZASGW.js";
import "./chunk-6NGAULK2.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
