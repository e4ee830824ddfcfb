#!/usr/bin/env node
import {
  engines
} from "./chunk-OVX2FLYL.js";

// src/main.ts
import { isBuiltin } from "node:module";
if (isBuiltin("node:sqlite")) {
  const { runProgram } = await import("./program-ORBJFQTX.js");
  await runProgram();
} else {
  const { node } = process.versions;
  console.error(`board-access-service needs Node.js ${engines.node}; this is ${node}.`);
  process.exitCode = 1;
}
