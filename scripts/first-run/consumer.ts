// A new project follows "getting started", with the packages as they would be published.
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { blocksOf } from './documents.ts';
import type { Machine } from './machine.ts';
import { assume, tell } from './report.ts';

export async function followGuide(machine: Machine, project: string) {
	const folder = await machine.folder('consumer');
	const guide = await readFile(join(project, 'docs/guides/getting-started.md'), 'utf8');
	const typed = blocksOf(guide, 'sh').flatMap((block) => block.trim().split('\n'));
	const start = typed.find((line) => line.includes('start --demo')) ?? '';

	const files = await packInto(machine, project, folder);
	const install = `npm install ${files.map((file) => `./${file}`).join(' ')}`;
	tell(install, await machine.type(install, folder));
	assume('The packages are packed in the clone, because they are not published.');
	assume('PORT=0 is set, because the default port may be in use.');

	const service = await startService(machine, start, folder);
	assume('The address and the key are those that the service prints; the guide has placeholders.');
	const code = blocksOf(guide, 'ts').join('\n');
	await writeFile(join(folder, 'guide.mts'), code);
	assume(
		'The code blocks are put one after the other into guide.mts and run with `node guide.mts`.',
	);
	tell('node guide.mts', await machine.type('node guide.mts', folder, service.env));
	await service.stop();
}

async function packInto(machine: Machine, project: string, consumer: string) {
	const command = `npm pack --workspaces --silent --pack-destination "${consumer}"`;
	const ended = await machine.type(command, project);
	tell(command.replace(consumer, '…'), ended);
	return ended.output.match(/^board-access-(\d|service|agent)\S*\.tgz$/gm) ?? [];
}

/** Starts the service as the guide says, and reads what it prints. */
async function startService(machine: Machine, command: string, folder: string) {
	const startedAt = performance.now();
	const child = machine.start(command, folder, { PORT: '0' });
	let printed = '';
	child.stdout.setEncoding('utf8').on('data', (text) => {
		printed += text;
	});
	child.stderr.resume();
	const ended = once(child, 'exit');
	while (!/API key +key_\w+\n/.test(printed) && child.exitCode === null) {
		await Promise.race([once(child.stdout, 'data'), ended]);
	}
	const seconds = (performance.now() - startedAt) / 1000;
	tell(command, { exitCode: child.exitCode === null ? 0 : 1, output: printed, seconds });
	return {
		env: {
			SERVICE_BASE_URL: /demo: (\S+)/.exec(printed)?.[1],
			SERVICE_API_KEY: /API key +(\S+)/.exec(printed)?.[1],
		},
		async stop() {
			if (child.exitCode !== null || child.pid === undefined) return;
			process.kill(-child.pid);
			await ended;
		},
	};
}
