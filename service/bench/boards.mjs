// GET /v1/boards with a key: the service against a bare server, in turns.
import { requestsPerSecond } from './load.mjs';
import { bareServer, command, median, seededDatabase, start } from './server.mjs';

const { file, key } = await seededDatabase();
const bare = await start(file, bareServer, file);
const service = await start(file, command, 'start');
const ratios = [];
for (let round = 0; round < 7; round += 1) {
	const theirs = await requestsPerSecond(bare.url, key);
	const ours = await requestsPerSecond(service.url, key);
	ratios.push(ours / theirs);
	console.log(
		`bare ${theirs.toFixed(0)}/s, service ${ours.toFixed(0)}/s, ratio ${(ours / theirs).toFixed(2)}`,
	);
}
console.log('median ratio', median(ratios).toFixed(2));
bare.child.kill();
service.child.kill();
