import{createRequire}from'node:module';const require=createRequire(import.meta.url);
import {
  Runner,
  runStep
} from "./chunk-GJ2VFHEB.js";
import "./chunk-ORLT3RXH.js";
import "./chunk-6RCGRMBQ.js";
import "./chunk-ZL4HKBB5.js";
import "./chunk-ZNZW5SZL.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
