// The call of the API that lists boards, with the filter that a page has set.
import { callOf, literal } from '../elements/calls.ts';
import { withQuery } from '../local-path.ts';
import type { BoardStatus } from './status.tsx';

interface Filter {
	board_type?: string | undefined;
	status?: BoardStatus | undefined;
}

export function boardsCall(baseUrl: string, { board_type, status }: Filter = {}) {
	const filter = board_type || status ? literal({ boardType: board_type, status }) : '';
	return callOf({
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
