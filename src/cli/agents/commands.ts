// `board-access agents`: the programs that drive boards, and their tokens.
import type { BoardAccess } from 'board-access';
import { type Command, Option } from 'commander';
import { nothingToChange } from '../failures/nothing-to-change.ts';
import { addServiceCommand, examples, repeated, type ServiceOptions } from '../options.ts';
import { connect } from '../service/connect.ts';
import { confirm } from '../terminal/confirm.ts';
import type { Io } from '../terminal/io.ts';
import { deliver, note, printJson, printList } from '../terminal/output.ts';
import { printableJson } from '../terminal/style.ts';
import type { Column } from '../terminal/table.ts';
import { type Agent, createAgent, listAgents, revokeAgent, updateAgent } from './requests.ts';

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

const columns: readonly Column<Agent>[] = [
	{ title: 'ID', value: ({ id }) => id, whole: true },
	{ title: 'NAME', value: ({ name }) => name },
	{ title: 'ONLINE', value: ({ online }) => (online ? 'yes' : 'no'), whole: true },
	{ title: 'TOKEN', value: ({ hint }) => hint, whole: true },
	{ title: 'BOARDS', value: ({ boardIds }) => boardIds.join(' ') },
	{ title: 'LAST SEEN', value: ({ lastSeenAt }, moment) => moment(lastSeenAt) || 'never' },
	{ title: 'REVOKED', value: ({ revokedAt }, moment) => moment(revokedAt) },
];

const sampleId = 'agt_0123456789abcdef01234567';

export function addAgents(program: Command, io: Io) {
	const agents = program
		.command('agents')
		.description('the programs that drive boards, for admins');
	addServiceCommand(agents, 'create')
		.description('create an agent; in a pipe, print only its token')
		.requiredOption('--name <name>', 'name of the agent')
		.option('--board <id>', 'board that it drives; repeat it for several boards', repeated, [])
		.addHelpText(
			'after',
			examples(
				'board-access agents create --name lab-1 --board brd_esp32-s3-01 --board brd_esp32-s3-02',
				'(umask 077; board-access agents create --name lab-1 --board brd_esp32-s3-01 > agent.token)',
			),
		)
		.action((options: CreateOptions) => create(options, io));
	addServiceCommand(agents, 'list')
		.description('list the agents with their boards')
		.addHelpText('after', examples('board-access agents list'))
		.action((options: ServiceOptions) => list(options, io));
	addServiceCommand(agents, 'edit')
		.description('change the name of an agent, or the boards that it drives')
		.argument('<id>', 'ID of the agent')
		.option('--name <name>', 'name of the agent')
		.option(
			'--board <id>',
			'board that it drives, instead of the present ones; repeat it for several boards',
			repeated,
		)
		.addOption(new Option('--no-boards', 'take all its boards away').conflicts('board'))
		.addHelpText('after', examples(`board-access agents edit ${sampleId} --name lab-2`))
		.action((id: string, options: EditOptions) => edit(id, options, io));
	addServiceCommand(agents, 'revoke')
		.description('revoke the token of an agent; its boards go offline and their leases end')
		.argument('<id>', 'ID of the agent')
		.option('--yes', 'do not ask for confirmation')
		.addHelpText('after', examples(`board-access agents revoke ${sampleId} --yes`))
		.action((id: string, options: RevokeOptions) => revoke(id, options, io));
}

async function create({ name, board, ...options }: CreateOptions, io: Io) {
	const client = await connect(options, io);
	const created = await createAgent(client, { name, boardIds: board }, io);
	const { id, token } = created;
	try {
		await deliver(options.json ? `${printableJson(created)}\n` : `${token}\n`, io);
	} catch (error) {
		// A token that was not delivered is useless, so it must not stay valid.
		await revokeAgent(client, id, io);
		throw error;
	}
	if (!io.stdout.isTTY || options.json) return;
	note(`The token of ${id} is shown only once. Store it where the agent runs.`, io);
}

async function list(options: ServiceOptions, io: Io) {
	const agents = await listAgents(await connect(options, io), io);
	printList(agents, { columns, empty: 'The service has no agents.' }, { options, io });
}

async function edit(id: string, options: EditOptions, io: Io) {
	const { name, board, boards } = options;
	const boardIds = boards ? board : [];
	if (name === undefined && boardIds === undefined) throw nothingToChange();
	const client = await connect(options, io);
	const agent = await updateAgent(client, id, { name, boardIds }, io);
	printList([agent], { columns, empty: '' }, { options, io });
}

async function revoke(id: string, options: RevokeOptions, io: Io) {
	const client = await connect(options, io);
	if (!options.yes) {
		await confirm(
			{
				unattended: 'Revoking an agent needs --yes without a terminal',
				question: () => question(client, id, io),
				refused: 'No agent was revoked',
			},
			io,
		);
	}
	const revoked = await revokeAgent(client, id, io);
	if (options.json) return printJson(revoked, io);
	note(`The agent ${id} is revoked.`, io);
}

async function question(client: BoardAccess, id: string, io: Io) {
	const agents = await listAgents(client, io);
	const agent = agents.find((each) => each.id === id);
	if (agent) note(`${id} "${agent.name}", boards: ${agent.boardIds.join(', ') || 'none'}`, io);
	return 'Revoke this agent?';
}
