// A process that sends changes without pause and reports each response, until it is killed:
// node writer.js <database> <key>
import { createService } from '../../src/service.ts';

const [database = '', apiKey = ''] = process.argv.slice(2);
const { fetch } = await createService({
	database,
	rateLimitPerKey: 1e9,
	rateLimitPerAccount: 1e9,
});
async function send(method: string, path: string) {
	const headers = { authorization: `Bearer ${apiKey}` };
	const response = await fetch(`http://localhost${path}`, { method, headers });
	if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
	return response.json();
}

for (let count = 0; ; count += 1) {
	const { key, id } = await send('POST', '/v1/auth/keys');
	process.stdout.write(`created ${key}\n`);
	if (count % 2) continue;
	await send('DELETE', `/v1/auth/keys/${id}`);
	process.stdout.write(`revoked ${key}\n`);
}
