import{createRequire}from'node:module';const require=createRequire(import.meta.url);
import {
  Runner,
  runStep
} from "./chunk-L2DO3JUY.js";
import "./chunk-ORLT3RXH.js";
import "./chunk-P6BKA7DM.js";
import "./chunk-RA62DTJW.js";
import "./chunk-ZNZW5SZL.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
