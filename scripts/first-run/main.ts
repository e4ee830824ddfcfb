// npm run first-run: clones the project onto a new machine, runs what the README
// says, then follows "Getting started" in a new project.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { followGuide } from './consumer.ts';
import { firstCommands } from './documents.ts';
import { createMachine } from './machine.ts';
import { assume, conclude, tell } from './report.ts';

const source = fileURLToPath(new URL('../..', import.meta.url));
const machine = await createMachine();
if (machine.settings.length > 0) {
	assume(`The network settings of this machine: ${machine.settings.join(', ')}.`);
}
assume(`Node ${process.version} and git are installed.`);

try {
	const folder = await machine.folder('work');
	tell('git clone', await machine.type(`git clone --quiet "${source}" project`, folder));
	const project = join(folder, 'project');
	const commands = firstCommands(await readFile(join(project, 'README.md'), 'utf8'));
	for (const command of commands) tell(command, await machine.type(command, project));
	await followGuide(machine, project);
} finally {
	await machine.clear();
}
conclude();
