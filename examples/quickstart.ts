// The main workflow from end to end: the real client and the real service, both in this process.
import { BoardAccess, isApiError } from 'board-access';
import { sampleFirmware } from 'board-access-agent/samples';
import { createService } from 'board-access-service';

const service = await createService({ demo: true, agent: true });
const client = new BoardAccess({
	baseUrl: 'http://localhost',
	apiKey: service.demo?.apiKey,
	fetch: service.fetch,
});

let steps = 0;
function step(title: string) {
	return console.log(`\n${++steps}. ${title}`);
}
function say(text: string) {
	return console.log(`   ${text}`);
}

console.log('Board Access: the client and a demo service with emulated boards, in memory.');

step('List the boards');
const boards = await client.boards.list();
const free = boards.filter((board) => board.status === 'available');
say(`${boards.length} boards, ${free.length} of them available:`);
for (const { id, boardType } of free) say(`${id.padEnd(20)} ${boardType}`);

const uno = boards.find(({ id }) => id === 'brd_arduino-uno-02');

step('Create an API key');
const created = await client.keys.create({ label: 'quickstart' });
say(
	`${created.id}, labeled ${created.label}. The full key is returned only here: store created.key.`,
);

step('Use the new key');
const pipeline = client.withOptions({ apiKey: created.key });
const [board] = await pipeline.boards.list({ status: 'available' }).first(1);
say(`It sees ${board?.id}.`);

step('Lease an emulated Arduino Uno');
const lease = await client.leases.create({ boardId: 'brd_arduino-uno-02' });
say(`${lease.boardId} is prepared, and yours until ${lease.expiresAt}.`);

step('Flash it');
await lease.flash(await sampleFirmware('arduino-uno'));
const { matched: greeting } = await lease.console.expect(/Hello.*\n/);
say(`It prints: ${greeting.trim()}`);

step('Type into its console');
await lease.console.write('hello board\r');
const { matched: reply } = await lease.console.expect('HELLO BOARD');
say(`It replies: ${reply}`);

step('Release it');
await lease.release();
say(`It cost ${lease.credits} credits, at ${uno?.creditsPerMinute} credits per started minute.`);

step('Create a base image');
const image = await pipeline.admin.baseImages.create({
	action: 'flash',
	boardType: 'esp32-s3',
	name: 'Blink',
	url: 'https://images.example.com/blink.bin',
	flashOffset: '0x10000',
});
say(`${image.id}: ${image.action} ${image.name} at ${image.flashOffset} on ${image.boardType}.`);

step('Revoke the key');
const revoked = await client.keys.revoke(created.id);
say(`${revoked.id} stopped working at ${revoked.revokedAt}.`);

step('Use the revoked key');
try {
	await pipeline.boards.list();
} catch (error) {
	if (!isApiError(error, 'api_key_revoked')) throw error;
	say(`${error.status} ${error.code}: ${error.message}`);
}

await service.close();
console.log('\nTo keep this service running, with its web pages: npm run demo');
