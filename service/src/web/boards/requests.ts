// The API requests behind the pages about boards.
import type { BoardSearch } from '../../boards/search.ts';
import { curlCommand, literal, requestExamples, shell } from '../elements/code.tsx';
import { withQuery } from '../paths.ts';

export function boardsRequest(baseUrl: string, { board_type, status }: Partial<BoardSearch> = {}) {
	const filter = board_type || status ? literal({ boardType: board_type, status }) : '';
	return requestExamples({
		baseUrl,
		path: withQuery('/v1/boards', { board_type, status }),
		cli: [
			...['boards', 'list'],
			...(board_type ? ['--type', board_type] : []),
			...(status ? ['--status', status] : []),
		],
		typescript: `const boards = await client.boards.list(${filter});`,
	});
}

/** Reads one board, and leases it. */
export function boardRequests(baseUrl: string, id: string) {
	const read = requestExamples({
		baseUrl,
		path: `/v1/boards/${encodeURIComponent(id)}`,
		cli: ['boards', 'get', id],
		typescript: `const board = await client.boards.get(${literal(id)});`,
	});
	const json = { board_id: id, minutes: 10 };
	const path = '/v1/leases';
	const command = `board-access leases create --board ${shell(id)} --minutes 10`;
	return {
		curl: `${read.curl}\n\n${curlCommand({ baseUrl, method: 'POST', path, json })}`,
		cli: `${read.cli}\n${command}`,
		typescript: `${read.typescript}
const lease = await client.leases.create(${literal({ boardId: id, minutes: 10 })});`,
	};
}
