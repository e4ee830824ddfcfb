// The API requests behind the pages about boards.
import type { FoundBoard } from 'board-access-core';
import { curlCommand, literal, requestExamples, shell } from '../elements/code.tsx';
import { withQuery } from '../paths.ts';

interface Filter {
	board_type?: string | undefined;
	status?: FoundBoard['status'] | undefined;
}

export function boardsRequest(baseUrl: string, { board_type, status }: Filter) {
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

/** How to lease, flash and read one board, in each language. */
export function boardExamples(baseUrl: string, id: string) {
	const board = shell(id);
	const waiting = { board_id: id, minutes: 30, wait_seconds: 1800 };
	const { cli, typescript } = requestExamples({
		baseUrl,
		path: '',
		cli: ['boards', 'get', id],
		typescript: `
await using lease = await client.leases.create(${literal({ boardId: id, waitMs: 600_000 })});
await lease.flash(await readFile('firmware.hex'));
await lease.console.expect('Hello from', { timeout: 30_000 });`,
	});
	return {
		cli: `${cli}

# Lease the board, flash it, wait for a text on its console, release it
board-access run firmware.hex --board ${board} --expect 'Hello from' --wait 30m

# Or keep it, and work with it by hand
LEASE=$(board-access leases create --board ${board} --minutes 30 --wait 30m)
board-access flash "$LEASE" firmware.hex
board-access console "$LEASE"
board-access leases release "$LEASE"`,
		typescript: `import { readFile } from 'node:fs/promises';\n${typescript}`,
		ci: `env:
  SERVICE_BASE_URL: ${baseUrl}
  SERVICE_API_KEY: \${{ secrets.SERVICE_API_KEY }}
steps:
  - run: >-
      board-access run firmware.hex --board ${board}
      --expect 'Hello from' --fail '/panic|assert/'
      --timeout 60s --wait 10m --junit report.xml`,
		curl: `${curlCommand({ baseUrl, path: `/v1/boards/${encodeURIComponent(id)}` })}

${curlCommand({ baseUrl, method: 'POST', path: '/v1/leases', json: waiting })}`,
	};
}
