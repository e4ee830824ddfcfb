// /v1/agent: the connection to the agents. An agent token is valid for these paths only.
import {
	agentConnection,
	agentConsole,
	agentReport,
	agentStop,
	agentTokenPattern,
	consoleOffset,
	maxConsoleReport,
	maxFence,
	pinSample,
} from 'board-access-contract';
import {
	ApiError,
	closeConnection,
	createLimiter,
	findAgentByToken,
	findAgentStatus,
	findNeededFile,
	noQuery,
	openAgentEnd,
	openConnection,
	parseJson,
	reportAction,
	reportOutput,
	reportSample,
	stopAgent,
	workLines,
} from 'board-access-core';
import { callerAddress } from 'board-access-http/address';
import { sharedMoment } from 'board-access-http/confirm';
import type { ServiceApp, ServiceContext } from 'board-access-http/environment';
import { readBody, readQuery, readRaw } from 'board-access-http/read';
import { respond } from 'board-access-http/respond';
import { trustConnection } from 'board-access-http/server/connections';
import { respondStream } from 'board-access-http/stream';
import * as z from 'zod/mini';
import type { Services } from '../services.ts';

const asNumber = (text: z.ZodMiniType<string, string>) => z.pipe(text, z.transform(Number));

const isFence = (text: string) => /^\d{1,10}$/.test(text) && Number(text) <= maxFence;

/** A fence, or a count like it. */
const fenceNumber = asNumber(
	z.string().check(z.refine(isFence, `must be a whole number up to ${maxFence}`)),
);

const offsetNumber = asNumber(consoleOffset);
const asJson = z.transform((text: string) => parseJson(text) ?? null);
const json = z.pipe(z.string(), asJson);

/** The boards of an agent, with all that is known of them. */
const maxConnection = 1024 * 1024;

/**
 * `input`: up to where the agent has written the console input to the board. `console`: whether the
 * console is connected, as JSON. `synced`: the `sync` of the lease that this output completes.
 */
const outputQuery = z.strictObject({
	fence: fenceNumber,
	offset: offsetNumber,
	input: z.optional(offsetNumber),
	console: z.optional(z.pipe(json, agentConsole)),
	synced: z.optional(fenceNumber),
});
const channelQuery = z.strictObject({ fence: fenceNumber, lease_id: z.string() });
const fenceQuery = z.strictObject({ fence: fenceNumber });
const fileQuery = z.strictObject({
	fence: fenceNumber,
	board_id: z.string().check(z.minLength(1), z.maxLength(100)),
});

export function agentLinkRoutes(app: ServiceApp, core: Services) {
	const { contacts, stopping } = core;
	// After a restart, all agents connect at once. They get few of the connections to the database, so that
	// other requests do not wait.
	const { run } = createLimiter({ atOnce: 4 });
	const authenticate = async (c: ServiceContext) => {
		const { id: agentId } = await findSender(core, c);
		contacts.heard(agentId);
		return agentId;
	};

	app.get('/v1/agent', async (c) => {
		// Not a contact, because the agent that is connected may be silent.
		const { id } = await findSender(core, c);
		readQuery(c, noQuery);
		return respond(c, await findAgentStatus(core.database.query, id));
	});

	app.post('/v1/agent/work', async (c) => {
		// Opening the connection stores the contact itself.
		const { id: agentId, hash: tokenHash } = await findSender(core, c);
		readQuery(c, noQuery);
		const sent = await readBody(c, agentConnection, { max: maxConnection });
		const connectionId = await run('', () => openConnection(core, { ...sent, agentId, tokenHash }));
		return respondStream(c, {
			contentType: 'application/x-ndjson',
			stopping,
			pieces: (signal) => workLines(core, { agentId, connectionId }, signal),
			onEnd: (closed) => {
				// Otherwise the agent connects again at once, before another one with its token can.
				if (closed) closeConnection(core.database.query, connectionId).catch(() => {});
			},
		});
	});

	app.post('/v1/agent/contact', async (c) => {
		readQuery(c, noQuery);
		await sharedMoment(contacts.interval);
		await authenticate(c);
		return c.body(null, 204);
	});

	app.post('/v1/agent/stop', async (c) => {
		const agentId = await authenticate(c);
		readQuery(c, noQuery);
		await stopAgent(core, agentId, (await readBody(c, agentStop)).boot_id);
		return c.body(null, 204);
	});

	app.post('/v1/agent/actions/:id', async (c) => {
		const agentId = await authenticate(c);
		readQuery(c, noQuery);
		const { console_offset: consoleOffset, ...sent } = await readBody(c, agentReport);
		const report = { agentId, actionId: c.req.param('id'), consoleOffset, ...sent };
		await reportAction(core, report);
		return c.body(null, 204);
	});

	app.post('/v1/agent/console/:lease_id', async (c) => {
		const agentId = await authenticate(c);
		const { console: state, ...place } = readQuery(c, outputQuery);
		const next = await reportOutput(core, {
			agentId,
			leaseId: c.req.param('lease_id'),
			...place,
			data: await readRaw(c, maxConsoleReport),
			state,
		});
		return respond(c, { offset: next });
	});

	app.post('/v1/agent/pins/:lease_id', async (c) => {
		const agentId = await authenticate(c);
		const { fence } = readQuery(c, fenceQuery);
		const leaseId = c.req.param('lease_id');
		await reportSample(core, { agentId, leaseId, fence, sample: await readBody(c, pinSample) });
		return c.body(null, 204);
	});

	app.post('/v1/agent/channels/:id', async (c) => {
		const agentId = await authenticate(c);
		const { fence, lease_id: leaseId } = readQuery(c, channelQuery);
		return respond(c, await openAgentEnd(core, { agentId, leaseId, fence, id: c.req.param('id') }));
	});

	app.get('/v1/agent/files/:id', async (c) => {
		const agentId = await authenticate(c);
		const { fence, board_id: boardId } = readQuery(c, fileQuery);
		const needed = { agentId, boardId, fence, fileId: c.req.param('id') };
		const { data, sha256 } = await findNeededFile(core.database.query, needed);
		return new Response(new Uint8Array(data), {
			headers: { 'content-type': 'application/octet-stream', 'x-file-sha256': sha256 },
		});
	});
}

/** Which agent sent a request, by the token in the Authorization header only. */
async function findSender({ settings, database, limits }: Services, c: ServiceContext) {
	const header = c.req.header('authorization') ?? '';
	const token = /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
	const agent = agentTokenPattern.test(token)
		? await findAgentByToken(database, token.toLowerCase())
		: undefined;
	if (!agent) {
		await limits.rejectedKey(callerAddress(c, settings));
		throw new ApiError('agent_token_invalid', 'A valid agent token is required.', {
			hint: 'Send Authorization: Bearer and then agt_ with 48 hexadecimal characters.',
		});
	}
	trustConnection(c.env?.incoming?.socket);
	await limits.agent(agent.id);
	return agent;
}
