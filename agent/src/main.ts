#!/usr/bin/env node
// The command board-access-agent.
import { runProgram } from './program.ts';

await runProgram();
