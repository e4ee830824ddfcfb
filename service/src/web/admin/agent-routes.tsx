// Agents for administrators: what drives the boards, its token, and which boards it has.
import { agent, agentInput } from 'board-access-contract';
import { requireRecentPassword } from '../../accounts/sessions/sessions.ts';
import { createAgent } from '../../agents/store.ts';
import type { ServiceApp } from '../../http/environment.ts';
import { once } from '../../http/idempotency.ts';
import { requestDigest } from '../../http/read.ts';
import { validate } from '../../validation.ts';
import { readApi, requestApi } from '../api.ts';
import { formKey } from '../elements/form.tsx';
import { ask } from '../elements/question.tsx';
import { Name, Time } from '../elements/text.tsx';
import { readForm } from '../form.ts';
import { goTo, type MemberVisit, type Pages, submitForm } from '../pages.tsx';
import { encodedPath } from '../paths.ts';
import { type AgentValues, listAgents, showAgentForm, showToken } from './agent-pages.tsx';

const path = '/admin/agents';

export function agentAdminPages(app: ServiceApp, { forAdmins }: Pages) {
	app.get(path, forAdmins(listAgents));
	app.post(path, forAdmins(create));
	app.get(
		`${path}/new`,
		forAdmins((visit) => showAgentForm(visit, { id: undefined, name: '', board_ids: [] })),
	);
	app.get(
		`${path}/:id`,
		forAdmins(async (visit) => showAgentForm(visit, await existing(visit))),
	);
	app.post(`${path}/:id`, forAdmins(change));
	app.get(`${path}/:id/revoke`, forAdmins(askToRevoke));
	app.post(`${path}/:id/revoke`, forAdmins(revoke));
}

async function readValues({ c }: MemberVisit) {
	const { name, boards, token } = await readForm(c, ['name', 'boards', 'token']);
	const values = { id: c.req.param('id'), name, board_ids: boards.split('\n').filter(Boolean) };
	return { values, token };
}

async function create(visit: MemberVisit) {
	requireRecentPassword(visit.account);
	const { values, token } = await readValues(visit);
	return submitForm({
		change: async () => {
			const created = await createOnce(visit, values, token);
			if (!hasToken(created)) return goTo(visit.c, path, 'agent-shown');
			return showToken(visit, values.name, created);
		},
		again: (error) => showAgentForm(visit, values, error),
		sentences,
	});
}

/** An agent with its token the first time, and only its identifier after that. */
async function createOnce({ c, account, parts }: MemberVisit, values: AgentValues, token: string) {
	const input = { name: values.name, board_ids: values.board_ids };
	const { name, board_ids: boardIds } = validate(agentInput, input);
	const { result } = await once<{ id: string; token?: string }>(parts.database, {
		key: formKey(token),
		accountId: account.id,
		digest: requestDigest(c, values),
		create: (db) => createAgent(db, { name, boardIds }),
		replay: async (_db, id) => ({ id }),
	});
	return result;
}

function hasToken(created: {
	id: string;
	token?: string;
}): created is { id: string; token: string } {
	return created.token !== undefined;
}

function existing(visit: MemberVisit) {
	return readApi(visit, encodedPath(visit.c, path), agent);
}

async function change(visit: MemberVisit) {
	const { values } = await readValues(visit);
	const { id: _id, ...json } = values;
	return submitForm({
		change: async () => {
			await requestApi(visit, 'PATCH', encodedPath(visit.c, path), { json });
			return goTo(visit.c, path, 'agent-changed');
		},
		again: (error) => showAgentForm(visit, values, error),
		sentences,
	});
}

async function askToRevoke(visit: MemberVisit) {
	const { name, hint, created_at, board_ids } = await existing(visit);
	return ask(visit, 'Revoke an agent', {
		title: 'Revoke this agent?',
		lead: 'Its token stops working immediately, and the leases of its boards end. You cannot undo this.',
		facts: [
			['Agent', <Name>{name}</Name>],
			['Masked token', <code>{hint}</code>],
			['Boards', String(board_ids.length)],
			['Created', <Time at={created_at} />],
		],
		cancel: path,
		submit: 'Revoke agent',
	});
}

async function revoke(visit: MemberVisit) {
	await requestApi(visit, 'DELETE', encodedPath(visit.c, path));
	return goTo(visit.c, path, 'agent-revoked');
}

const sentences = {
	name: 'Enter a name of at most 200 characters.',
	board_ids: (message: string) => `The list of boards ${message}.`,
};
