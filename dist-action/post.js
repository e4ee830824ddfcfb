import{createRequire}from'node:module';const require=createRequire(import.meta.url);
import {
  Runner,
  endJob
} from "./chunk-GJ2VFHEB.js";
import "./chunk-ORLT3RXH.js";
import "./chunk-6RCGRMBQ.js";
import "./chunk-ZL4HKBB5.js";
import "./chunk-ZNZW5SZL.js";

// src/action/post.ts
process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
