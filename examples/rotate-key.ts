// Replaces an API key: the new one is checked before the old one is revoked.
//   node examples/rotate-key.ts key_0123456789abcdef01234567 new-key.txt
import { open } from 'node:fs/promises';
import { BoardAccess } from 'board-access';

const [id, file] = process.argv.slice(2);
if (!id || !file) {
	console.error('Usage: node examples/rotate-key.ts KEY_ID FILE');
	process.exit(2);
}

const client = new BoardAccess();
// Opened first, because a new key that cannot be written would be lost.
await using output = await open(file, 'wx', 0o600);
const fresh = await client.keys.rotate(id);
await output.writeFile(`${fresh.key}\n`);
console.log(`${id} is revoked; ${fresh.hint} (${fresh.label ?? 'no label'}) is in ${file}`);
