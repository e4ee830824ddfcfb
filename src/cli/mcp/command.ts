// `board-access mcp`: boards for the coding agent that starts it.
import { type Command, Option } from 'commander';
import { addCommand, type ServiceOptions } from '../options.ts';
import { type Call, withClient } from '../service/connect.ts';
import type { Io } from '../terminal/io.ts';

interface McpOptions extends ServiceOptions {
	root: string;
}

const clients = `
Add it to your coding agent:
  Claude Code  claude mcp add boards -- board-access mcp
  Codex        codex mcp add boards -- board-access mcp
  VS Code      code --add-mcp '{"name":"boards","command":"board-access","args":["mcp"]}'
  Others       {"mcpServers":{"boards":{"command":"board-access","args":["mcp"]}}}

Give it a key of its own, with an end: board-access keys create --scope boards --expires-in 30d --credit-limit 100`;

export function addMcp(program: Command, io: Io) {
	addCommand(program, 'mcp', 'give a coding agent boards, over the Model Context Protocol', [
		'board-access mcp --root firmware/build',
	])
		.addOption(
			new Option('--root <folder>', 'folder whose files it may use').default('.', 'this folder'),
		)
		.addHelpText('after', clients)
		.action(
			withClient(io, async (call: Call<McpOptions>) => {
				// Large, and of no use to the other commands.
				const { serve } = await import('./serve.ts');
				await serve(call, call.options.root);
			}),
		);
}
