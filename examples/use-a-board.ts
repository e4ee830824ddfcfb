// Leases a board, flashes firmware, and checks what it prints.
//   node examples/use-a-board.ts arduino-uno agent/firmware/uno-sample.hex Hello
import { readFile } from 'node:fs/promises';
import { BoardAccess } from 'board-access';

const [boardType, file, expected] = process.argv.slice(2);
if (!boardType || !file || !expected) {
	console.error('Usage: node examples/use-a-board.ts BOARD_TYPE FIRMWARE TEXT');
	process.exit(2);
}

const client = new BoardAccess();

await using lease = await client.leases.create({ boardType, waitMs: 60_000 });
console.log(`${lease.boardId} is ready`);

await lease.flash(await readFile(file));
const { before, matched } = await lease.console.expect(expected, { timeout: 30_000 });
console.log(`${file} printed ${JSON.stringify(before + matched)}`);
