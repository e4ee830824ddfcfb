// A coding agent: calls tools by their names, over whatever its client is connected to.
import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'vitest';

/** The versions of the protocol, and how a client comes to speak each. */
export const versions = [
	{ version: '2025-11-25', mode: 'legacy' },
	{ version: '2026-07-28', mode: 'auto' },
] as const;

export type Mode = (typeof versions)[number]['mode'];

type Given = Record<string, unknown>;
type Options = NonNullable<Parameters<Client['callTool']>[1]>;

export type CodingAgent = ReturnType<typeof agentOf>;

export function agentOf(client: Client) {
	const call = async (name: string, given: Given = {}, options?: Options) => {
		const result = await client.callTool({ name, arguments: given }, options);
		const [content] = result.content;
		const text = content?.type === 'text' ? content.text : '';
		return { isError: result.isError === true, text, found: Object(result.structuredContent) };
	};
	/** What a call returns that succeeds. */
	const use = async (name: string, given?: Given, options?: Options) => {
		const { isError, text, found } = await call(name, given, options);
		expect({ isError, text }).toEqual({ isError: false, text });
		// For clients that know no structured results.
		expect(JSON.parse(text)).toEqual(found);
		return found;
	};
	return {
		client,
		call,
		use,
		/** The words of a call that fails. */
		async fail(name: string, given?: Given, options?: Options) {
			const { isError, text } = await call(name, given, options);
			expect({ isError, text }).toEqual({ isError: true, text });
			return text;
		},
		/** Leases a board, and returns the ID of the lease. */
		async lease(board: string): Promise<string> {
			const { leases } = await use('lease_board', { boards: [board], wait_seconds: 30 });
			return leases[0].lease_id;
		},
		/** The whole console of a lease. */
		async console(lease: string) {
			const uri = `board-access://leases/${lease}/console`;
			const [content] = (await client.readResource({ uri })).contents;
			return { ...content };
		},
	};
}
