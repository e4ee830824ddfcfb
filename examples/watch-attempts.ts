// Reports every attempt of every request, for logs, metrics or traces.
//   node examples/watch-attempts.ts
import { BoardAccess } from 'board-access';

const client = new BoardAccess({
	onAttempt({ method, path, attempt, status, error, durationMs, retryInMs }) {
		const end = status ?? error;
		const next = retryInMs === undefined ? '' : `, again in ${Math.round(retryInMs)} ms`;
		console.log(`${method} ${path} #${attempt}: ${end} after ${Math.round(durationMs)} ms${next}`);
	},
});

const boards = await client.boards.list({ pageSize: 5 });
console.log(`${boards.length} boards`);
