#!/usr/bin/env node
import { Command } from 'commander';
// The command board-access-service.
import { startCommand } from './commands/start.ts';

const program = new Command('board-access-service')
	.description('The Board Access Service: boards, API keys and base images')
	.version('0.1.0');
startCommand(program);
await program.parseAsync();
