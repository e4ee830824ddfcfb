// `board-access agents`: the programs that drive boards, and their tokens.
import type { BoardAccess, Method } from 'board-access';
import { type Command, Option } from 'commander';
import * as z from 'zod/mini';
import {
	agent as agentShape,
	type CamelCased,
	camelCased,
	createdAgent,
} from '../../contract/index.ts';
import { nothingToChange } from '../failures/cli-error.ts';
import { addServiceCommand, repeated, type ServiceOptions } from '../options.ts';
import { type Call, withClient } from '../service/call.ts';
import { connect } from '../service/connect.ts';
import { confirm } from '../terminal/confirm.ts';
import type { Io } from '../terminal/io.ts';
import { deliver, note, printList, printResult } from '../terminal/output.ts';
import { printableJson } from '../terminal/style.ts';
import type { Column } from '../terminal/table.ts';

interface CreateOptions extends ServiceOptions {
	name: string;
	board: string[];
}

interface EditOptions extends ServiceOptions {
	name?: string;
	board?: string[];
	/** False with `--no-boards`. */
	boards: boolean;
}

interface RevokeOptions extends ServiceOptions {
	yes?: true;
}

type Agent = CamelCased<z.infer<typeof agentShape>>;

const columns: readonly Column<Agent>[] = [
	{ title: 'ID', value: ({ id }) => id, whole: true },
	{ title: 'NAME', value: ({ name }) => name },
	{ title: 'ONLINE', value: ({ online }) => (online ? 'yes' : 'no'), whole: true },
	{ title: 'TOKEN', value: ({ hint }) => hint, whole: true },
	{ title: 'BOARDS', value: ({ boardIds }) => boardIds.join(' ') },
	{ title: 'LAST SEEN', value: ({ lastSeenAt }, moment) => moment(lastSeenAt) || 'never' },
	{ title: 'REVOKED', value: ({ revokedAt }, moment) => moment(revokedAt) },
];

const path = '/v1/admin/agents';
const agentList = z.object({ data: z.array(agentShape) });
const sampleId = 'agt_0123456789abcdef01234567';

export function addAgents(program: Command, io: Io) {
	const agents = program
		.command('agents')
		.description('the programs that drive boards, for admins');
	addServiceCommand(agents, 'create', 'create an agent; in a pipe, print only its token', [
		'board-access agents create --name lab-1 --board brd_esp32-s3-01 --board brd_esp32-s3-02',
		'(umask 077; board-access agents create --name lab-1 --board brd_esp32-s3-01 > agent.token)',
	])
		.requiredOption('--name <name>', 'name of the agent')
		.option('--board <id>', 'board that it drives; repeat it for several boards', repeated, [])
		.action(withClient(io, create));
	addServiceCommand(agents, 'list', 'list the agents with their boards', [
		'board-access agents list',
	]).action(
		withClient(io, async (call) => {
			const empty = 'The service has no agents.';
			printList(await listAgents(call), { columns, empty }, call);
		}),
	);
	const edited = 'change the name of an agent, or the boards that it drives';
	addServiceCommand(agents, 'edit', edited, [`board-access agents edit ${sampleId} --name lab-2`])
		.argument('<id>', 'ID of the agent')
		.option('--name <name>', 'name of the agent')
		.option(
			'--board <id>',
			'board that it drives, instead of the present ones; repeat it for several boards',
			repeated,
		)
		.addOption(new Option('--no-boards', 'take all its boards away').conflicts('board'))
		.action((id: string, options: EditOptions) => edit(id, options, io));
	const revoked = 'revoke the token of an agent; its boards go offline and their leases end';
	addServiceCommand(agents, 'revoke', revoked, [`board-access agents revoke ${sampleId} --yes`])
		.argument('<id>', 'ID of the agent')
		.option('--yes', 'do not ask for confirmation')
		.action(withClient(io, revoke));
}

async function create(call: Call<CreateOptions>) {
	const { options, io } = call;
	const json = { name: options.name, board_ids: options.board };
	const created = await send(call, createdAgent, { method: 'POST', path, json });
	const { id, token } = created;
	try {
		await deliver(options.json ? `${printableJson(created)}\n` : `${token}\n`, io);
	} catch (error) {
		// A token that was not delivered is useless, so it must not stay valid.
		await send(call, agentShape, { method: 'DELETE', path: pathOf(id) });
		throw error;
	}
	if (!io.stdout.isTTY || options.json) return;
	note(`The token of ${id} is shown only once. Store it where the agent runs.`, io);
}

async function edit(id: string, options: EditOptions, io: Io) {
	const { name, board, boards } = options;
	const json = { name, board_ids: boards ? board : [] };
	if (json.name === undefined && json.board_ids === undefined) throw nothingToChange();
	const client = await connect(options, io);
	const call = { client, signal: io.signal };
	const agent = await send(call, agentShape, { method: 'PATCH', path: pathOf(id), json });
	printList([agent], { columns, empty: '' }, { options, io });
}

async function revoke(call: Call<RevokeOptions>, id: string) {
	await confirm(
		{
			unattended: 'Revoking an agent needs --yes without a terminal',
			question: () => question(call, id),
			refused: 'No agent was revoked',
		},
		call,
	);
	const revoked = await send(call, agentShape, { method: 'DELETE', path: pathOf(id) });
	printResult(revoked, `The agent ${id} is revoked.`, call);
}

async function question(call: Call, id: string) {
	const agent = (await listAgents(call)).find((each) => each.id === id);
	if (agent) note(`${id} "${agent.name}", boards: ${agent.boardIds.join(', ') || 'none'}`, call.io);
	return 'Revoke this agent?';
}

async function listAgents({ client, signal }: Call): Promise<Agent[]> {
	const { data } = z.parse(agentList, await client.request({ method: 'GET', path, signal }));
	return data.map(camelCased);
}

/** The client has no methods for agents. */
async function send<Shape extends object>(
	{ client, signal }: { client: BoardAccess; signal: AbortSignal | undefined },
	shape: z.ZodMiniType<Shape>,
	request: { method: Method; path: string; json?: unknown },
) {
	return camelCased(z.parse(shape, await client.request({ ...request, signal })));
}

function pathOf(id: string) {
	return `${path}/${encodeURIComponent(id)}`;
}
