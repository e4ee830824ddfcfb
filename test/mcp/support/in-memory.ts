// The tools in this process, without a server of their own.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { BoardAccess } from 'board-access';
import { onTestFinished } from 'vitest';
import { readPattern } from '../../../src/ci/run-options.ts';
import { readScenario } from '../../../src/ci/scenario-file.ts';
import { boardTools, createToolServer, type Place } from '../../../src/mcp/index.ts';
import { localTools } from '../../../src/mcp/local-tools.ts';
import { agentOf } from '../../support/coding-agent.ts';

/** As for the command, but firmware is given as its text. */
const place: Place = {
	firmware: 'file',
	readFirmware: async (given) => Buffer.from(given),
	readPattern,
	files: { readScenario, writeLog: async () => {} },
	maxSeconds: 60,
};

const local = localTools({ pathOf: async (name) => name, env: {}, ports: new Map() });

/** Connects a coding agent with all tools for the test that runs. */
export async function connect(client: BoardAccess) {
	const agent = new Client({ name: 'test', version: '1.0.0' });
	const [its, ours] = InMemoryTransport.createLinkedPair();
	await createToolServer({ client, tools: [...boardTools(place), ...local] }).connect(ours);
	await agent.connect(its);
	onTestFinished(() => agent.close());
	return agentOf(agent);
}
