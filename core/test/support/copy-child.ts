// A copy in its own process that is killed after some batches: node copy-child.ts <from> <to> <batches>
import { copyDatabase } from '../../src/database/copy/copy.ts';

const [from = '', to = '', batches = ''] = process.argv.slice(2);
let left = Number(batches);
const report = () => {
	left -= 1;
	if (left === 0) process.kill(process.pid, 'SIGKILL');
};
await copyDatabase({ from, to }, report);
