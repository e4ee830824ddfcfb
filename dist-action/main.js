import{createRequire}from'node:module';const require=createRequire(import.meta.url);
import {
  Runner,
  runStep
} from "./chunk-7VE6V2R3.js";
import "./chunk-H35Q6MNZ.js";
import "./chunk-R475Q44S.js";
import "./chunk-JWYXB3XR.js";
import "./chunk-ZNZW5SZL.js";

// src/action/main.ts
process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
