// board-access-service agent create | list | revoke

import { createAgent, listAgents, revokeAgent } from 'board-access-core';
import type { Command } from 'commander';
import { databaseOption, withDatabase } from './with-database.ts';

interface Options {
	database?: string;
	board?: string[];
	all?: boolean;
}

export function agentCommand(program: Command) {
	const agent = program.command('agent').description('create, list and revoke agents');
	const add = (name: string, description: string) =>
		databaseOption(agent.command(name).description(description));

	add('create <name>', 'create an agent and print its token, which is shown only here')
		.option('--board <id...>', 'boards that the agent drives')
		.action(create);
	add('list', 'show the agents').option('--all', 'revoked ones too').action(list);
	add('revoke <id>', 'revoke the token of an agent and end the leases of its boards').action(
		revoke,
	);
}

function create(name: string, { board: boardIds = [], ...options }: Options) {
	return withDatabase(options, async (core) => {
		const { result } = await createAgent(core, { name, board_ids: boardIds });
		const { id, token } = result;
		console.error(`Created ${id}. The token is shown only here:`);
		console.log(token);
	});
}

function list({ all = false, ...options }: Options) {
	return withDatabase(options, async ({ database: { query } }) => {
		const agents = await listAgents(query, { includeRevoked: all });
		if (agents.length === 0) return console.error('There are no agents.');
		console.log([heading, ...agents.map(lineOf)].join('\n'));
	});
}

const heading = 'ID                            STATE    LAST SEEN                 BOARDS  NAME';

type Agent = Awaited<ReturnType<typeof listAgents>>[number];

function lineOf({ id, online, revoked_at, last_seen_at, board_ids, name }: Agent) {
	const state = revoked_at ? 'revoked' : online ? 'online' : 'offline';
	const boards = String(board_ids.length).padEnd(6);
	return [id, state.padEnd(7), (last_seen_at ?? '-').padEnd(24), boards, name].join('  ');
}

function revoke(id: string, options: Options) {
	return withDatabase(options, async (core) => {
		const { name } = await revokeAgent(core, id);
		console.log(`${id} (${name}) is revoked.`);
	});
}
