// A process that writes log lines and ends as its argument says: node log-child.ts <end>
import { createLog } from '../../src/log.ts';

const [, , end] = process.argv;
const log = createLog('info');
for (let line = 0; line < 1_000; line += 1) log.info({ line });
if (end === 'crash') throw new Error('Crashed');
if (end === 'exit') process.exit(3);
if (end === 'reject') void Promise.reject(new Error('Rejected'));
if (end === 'error') {
	log.error('Broken');
	// Blocks the thread, so that nothing written later can arrive.
	process.kill(process.pid, 'SIGKILL');
}
