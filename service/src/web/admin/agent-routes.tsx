// Agents for administrators: what drives the boards, its token, and which boards it has.
import { agent, agentInput } from 'board-access-contract';
import * as z from 'zod/mini';
import { requireRecentPassword } from '../../accounts/sessions/sessions.ts';
import { createAgent } from '../../agents/store.ts';
import { ApiError } from '../../errors.ts';
import type { ServiceApp, ServiceContext } from '../../http/environment.ts';
import { once } from '../../http/idempotency.ts';
import { requestDigest } from '../../http/read.ts';
import type { Parts } from '../../parts.ts';
import { validate } from '../../validation.ts';
import { readApi, requestApi } from '../api.ts';
import { formKey } from '../elements/form-token.tsx';
import { Question } from '../elements/question.tsx';
import { Time } from '../elements/time.tsx';
import { inPlainWords, readForm, refusal } from '../form.ts';
import { goTo, type MemberVisit, type Pages, refused } from '../pages.tsx';
import { AgentForm, type AgentValues } from './agent-form.tsx';
import { AgentList } from './agent-list.tsx';
import { CreatedAgent } from './created-agent.tsx';

export function agentAdminPages(
	app: ServiceApp,
	{ database, settings }: Pick<Parts, 'database' | 'settings'>,
	{ forAdmins }: Pages,
) {
	const { query } = database;
	const path = '/admin/agents';

	const boards = () =>
		query
			.selectFrom('boards')
			.leftJoin('agents', 'agents.id', 'boards.agent_id')
			.select(['boards.id', 'boards.name', 'board_type', 'agent_id', 'agents.name as agent_name'])
			.orderBy('boards.name')
			.orderBy('boards.id')
			.execute();

	app.get(
		path,
		forAdmins(async ({ c }) => {
			const { data } = await readApi(app, c, { path, schema: agentPage });
			const names = new Map((await boards()).map(({ id, name }) => [id, name]));
			return { title: 'Agents', main: <AgentList agents={data} boardNames={names} /> };
		}),
	);

	const form = async (values: AgentValues, error?: ApiError) => ({
		title: values.id ? values.name : 'Add an agent',
		main: <AgentForm values={values} boards={await boards()} error={error} />,
	});

	app.get(
		`${path}/new`,
		forAdmins(() => form({ id: undefined, name: '', board_ids: [] })),
	);

	const read = async (c: ServiceContext) => {
		const { name, boards, token } = await readForm(c, ['name', 'boards', 'token']);
		const values = { id: c.req.param('id'), name, board_ids: boards.split('\n').filter(Boolean) };
		return { values, token };
	};

	app.post(
		path,
		forAdmins(async ({ c, account }) => {
			requireRecentPassword(account);
			const { values, token } = await read(c);
			const create = async () => {
				const { name, board_ids } = validate(agentInput, {
					name: values.name,
					board_ids: values.board_ids,
				});
				return once<NewAgent>(database, {
					key: formKey(token),
					accountId: account.id,
					digest: requestDigest(c, values),
					create: (db) => createAgent(db, { name, boardIds: board_ids }),
					replay: async (_db, id) => ({ id }),
				});
			};
			const done = await create().catch(refusal);
			if (done instanceof ApiError) return formAgain(values, done);
			const { result } = done;
			if (!result.token) return goTo(c, path, 'agent-shown');
			const main = (
				<CreatedAgent
					token={result.token}
					name={values.name}
					boards={await chosen(result.id)}
					baseUrl={settings.baseUrl}
				/>
			);
			return { title: 'Your new agent', main };
		}),
	);

	const chosen = async (agentId: string) =>
		(await boards()).filter(({ agent_id }) => agent_id === agentId);

	const formAgain = async (values: AgentValues, error: ApiError) => {
		const worded = inPlainWords(error, sentences);
		return refused(await form(values, worded), worded);
	};

	const existing = ({ c }: Pick<MemberVisit, 'c'>) =>
		readApi(app, c, { path: agentPath(c), schema: agent });

	app.get(
		`${path}/:id`,
		forAdmins(async (visit) => form(await existing(visit))),
	);

	app.post(
		`${path}/:id`,
		forAdmins(async ({ c }) => {
			const { values } = await read(c);
			const { name, board_ids } = values;
			const request = { method: 'PATCH', path: agentPath(c), json: { name, board_ids } } as const;
			const done = await requestApi(app, c, request).catch(refusal);
			if (done instanceof ApiError) return formAgain(values, done);
			return goTo(c, path, 'agent-changed');
		}),
	);

	app.get(
		`${path}/:id/revoke`,
		forAdmins(async (visit) => {
			const { id, name, hint, created_at, board_ids } = await existing(visit);
			const main = (
				<Question
					title="Revoke this agent?"
					lead="Its token stops working immediately, and the leases of its boards end. You cannot undo this."
					facts={[
						['Agent', <bdi>{name}</bdi>],
						['Masked token', <code>{hint}</code>],
						['Boards', String(board_ids.length)],
						['Created', <Time at={created_at} />],
					]}
					action={`${path}/${id}/revoke`}
					cancel={path}
					submit="Revoke agent"
				/>
			);
			return { title: 'Revoke an agent', main };
		}),
	);

	app.post(
		`${path}/:id/revoke`,
		forAdmins(async ({ c }) => {
			await requestApi(app, c, { method: 'DELETE', path: agentPath(c) });
			return goTo(c, path, 'agent-revoked');
		}),
	);
}

/** An agent with its token the first time, and only its identifier after that. */
interface NewAgent {
	id: string;
	token?: string;
}

const agentPage = z.object({ data: z.array(agent) });

const sentences = {
	name: 'Enter a name of at most 200 characters.',
	board_ids: (message: string) => `The list of boards ${message}.`,
};

function agentPath(c: ServiceContext) {
	return `/admin/agents/${encodeURIComponent(c.req.param('id') ?? '')}`;
}
