// A process that runs one site.
import { readFile } from 'node:fs/promises';
import type { Bundles } from '../bundle.ts';
import { compile } from '../realm.ts';
import { runYear, type YearOptions } from './run.ts';

const [file = '', options = ''] = process.argv.slice(2);
// Written by the runner.
const scripts = compile(JSON.parse(await readFile(file, 'utf8')) as Bundles);
const given = JSON.parse(options) as YearOptions; // as well
let crash: (error: unknown) => void = () => {};
process.on('unhandledRejection', (error) => crash(error));
process.on('uncaughtException', (error) => crash(error));
let isEnding = false;
process.on('message', () => {
	isEnding = true;
});
// The runner decides.
process.on('SIGINT', () => {});
Error.stackTraceLimit = 0;
const result = await runYear(scripts, given, {
	onCensus: (census) => {
		process.send?.({ census });
		return isEnding;
	},
	onCrash: (handler) => {
		crash = handler;
	},
});
process.send?.({ result });
process.disconnect();
