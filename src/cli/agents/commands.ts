// `board-access agents`: the programs that drive boards, and their tokens.
import type { Agent, CreatedAgent } from 'board-access';
import { type Command, Option } from 'commander';
import { printableJson } from '../../contract/printable.ts';
import { nothingToChange } from '../failures/cli-error.ts';
import { addCommand, repeatedly, type ServiceOptions } from '../options.ts';
import { type Call, withClient } from '../service/connect.ts';
import { confirm } from '../terminal/input.ts';
import type { Io } from '../terminal/io.ts';
import { deliver, note, printList, printResult } from '../terminal/output.ts';
import type { Column } from '../terminal/table.ts';

interface CreateOptions extends ServiceOptions {
	name: string;
	board?: string[];
}

interface EditOptions extends ServiceOptions {
	name?: string;
	board?: string[];
	/** False with `--no-boards`. */
	boards: boolean;
}

const columns: readonly Column<Agent>[] = [
	{ title: 'ID', value: ({ id }) => id, whole: true },
	{ title: 'NAME', value: ({ name }) => name },
	{ title: 'ONLINE', value: ({ online }) => (online ? 'yes' : 'no'), whole: true },
	{ title: 'TOKEN', value: ({ hint }) => hint, whole: true },
	{ title: 'BOARDS', value: ({ boardIds }) => boardIds?.join(' ') },
	{ title: 'LAST SEEN', value: ({ lastSeenAt }, moment) => moment(lastSeenAt) || 'never' },
	{ title: 'REVOKED', value: ({ revokedAt }, moment) => moment(revokedAt) },
];

const sampleId = 'agt_0123456789abcdef01234567';

export function addAgents(program: Command, io: Io) {
	const agents = program
		.command('agents')
		.description('the programs that drive boards, for admins');
	const board = 'board that it drives; repeat it for several boards';
	addCommand(agents, 'create', 'create an agent; in a pipe, print only its token', [
		'board-access agents create --name lab-1 --board brd_esp32-s3-01 --board brd_esp32-s3-02',
		'(umask 077; board-access agents create --name lab-1 --board brd_esp32-s3-01 > agent.token)',
	])
		.requiredOption('--name <name>', 'name of the agent')
		.option('--board <id>', board, repeatedly(String))
		.action(withClient(io, create));
	const listExample = 'board-access agents list';
	addCommand(agents, 'list', 'list the agents with their boards', [listExample]).action(
		withClient(io, async (call) => {
			const { client, signal } = call;
			const empty = 'The service has no agents.';
			printList(await client.admin.agents.list({ signal }), { columns, empty }, call);
		}),
	);
	const edits = 'change the name of an agent, or the boards that it drives';
	const boards = 'board that it drives, instead of the present ones; repeat it for several boards';
	addCommand(agents, 'edit', edits, [`board-access agents edit ${sampleId} --name lab-2`])
		.argument('<id>', 'ID of the agent')
		.option('--name <name>', 'name of the agent')
		.option('--board <id>', boards, repeatedly(String))
		.addOption(new Option('--no-boards', 'remove all its boards').conflicts('board'))
		.action(withClient(io, edit));
	const rotates = 'replace the token of an agent; in a pipe, print only the new one';
	addCommand(agents, 'rotate', rotates, [
		`(umask 077; board-access agents rotate ${sampleId} > agent.token)`,
	])
		.argument('<id>', 'ID of the agent')
		.action(withClient(io, rotate));
	const revokes = 'revoke the token of an agent; its boards go offline and their leases end';
	addCommand(agents, 'revoke', revokes, [`board-access agents revoke ${sampleId} --yes`])
		.argument('<id>', 'ID of the agent')
		.option('--yes', 'do not ask for confirmation')
		.action(withClient(io, revoke));
}

async function create(call: Call<CreateOptions>) {
	const { client, options, signal } = call;
	const { agents } = client.admin;
	const created = await agents.create({ name: options.name, boardIds: options.board }, { signal });
	try {
		await deliverToken(created, call);
	} catch (error) {
		// Nobody has the token.
		await agents.revoke(created.id, { signal });
		throw error;
	}
}

async function rotate(call: Call<ServiceOptions>, id: string) {
	const { client, signal } = call;
	await deliverToken(await client.admin.agents.rotateToken(id, { signal }), call);
}

async function deliverToken(agent: CreatedAgent, { options, io }: Call<ServiceOptions>) {
	const { id, token } = agent;
	await deliver(options.json ? `${printableJson(agent)}\n` : `${token}\n`, io);
	if (!io.stdout.isTTY || options.json) return;
	note(`The token of ${id} is shown only once. Store it where the agent runs.`, io);
}

async function edit(call: Call<EditOptions>, id: string) {
	const { client, options, signal } = call;
	const { name, board, boards } = options;
	const changes = { name, boardIds: boards ? board : [] };
	if (name === undefined && changes.boardIds === undefined) throw nothingToChange();
	const agent = await client.admin.agents.update(id, changes, { signal });
	printList([agent], { columns, empty: '' }, call);
}

async function revoke(call: Call<ServiceOptions & { yes?: true }>, id: string) {
	const { signal } = call;
	const { agents } = call.client.admin;
	await confirm('Revoking an agent', call, async () => {
		const agent = (await agents.list({ signal })).find((each) => each.id === id);
		const boards = agent?.boardIds?.join(', ') || 'none';
		if (agent) note(`${id} "${agent.name}", boards: ${boards}`, call.io);
		return 'Revoke this agent?';
	});
	const revoked = await agents.revoke(id, { signal });
	printResult(revoked, `The agent ${id} is revoked.`, call);
}
