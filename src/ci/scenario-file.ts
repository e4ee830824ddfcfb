// Reads a scenario from a YAML file. An error names the line.
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { ScenarioStep } from 'board-access';
import type { Document, LineCounter, Node } from 'yaml';
import { problemOf, unknownField } from '../contract/steps.ts';
import { readDuration } from './duration.ts';
import { reasonOf } from './file-reason.ts';
import { readPattern, readSent } from './run-options.ts';

/** The steps of a file, and where each of them is written, such as `login.yml:5`. */
export interface ScenarioFile {
	/** Default: the name of the file. */
	name: string;
	steps: ScenarioStep[];
	/** Whose board each step is about: `dut.expect: Hello`. */
	roles: (string | null)[];
	places: string[];
}

/** In bytes. */
const maxScenarioSize = 256 * 1024;

const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
	expect: patternOf,
	fail: (value) => (Array.isArray(value) ? value.map(patternOf) : patternOf(value)),
	send: (value) => (typeof value === 'string' && value !== '' ? readSent(value) : value),
	wait: (value) => readDuration(String(value)),
	timeout: (value) => readDuration(String(value)),
};

const kinds = ['expect', 'fail', 'send', 'wait', 'reset'];

/** Throws an error that names the file, the line and what is allowed there. */
export async function readScenario(file: string): Promise<ScenarioFile> {
	// Imported here, because few runs need it and it is large.
	const { LineCounter, parseDocument } = await import('./yaml.ts');
	const lines = new LineCounter();
	const content = await textOf(file);
	const options = { lineCounter: lines, prettyErrors: false, stringKeys: true };
	const document = parseDocument(content, options);
	const reading: Reading = { file, lines, document };
	// A warning is about a part that would be ignored, such as an unknown tag.
	const [problem] = [...document.errors, ...document.warnings];
	if (problem) throw new Error(`${placeOf(problem.pos[0], reading)}: ${problem.message}`);
	const { name, given } = contentOf(reading);
	const paths = given.map((_, index) => ['steps', index]);
	const parts = paths.map((path, index) => splitRole(given[index], path, reading));
	return {
		name: name || basename(file),
		steps: paths.map((path, index) => readStep(parts[index]?.fields, path, reading)),
		roles: parts.map(({ role }) => role),
		places: paths.map((path) => placeOf(startOf(path, reading), reading)),
	};
}

async function textOf(file: string) {
	const reading = buffer(createReadStream(file, { end: maxScenarioSize }));
	const content = await reading.catch((error: unknown) => {
		throw new Error(`The scenario ${file} cannot be read: ${reasonOf(error)}`, { cause: error });
	});
	if (content.length <= maxScenarioSize) return content.toString();
	throw new Error(`The scenario ${file} is larger than ${maxScenarioSize / 1024} KiB`);
}

interface Reading {
	file: string;
	lines: LineCounter;
	document: Document;
}

type Path = readonly (string | number)[];

function contentOf(reading: Reading) {
	const content = parsed(reading);
	const problem = unknownField(content, ['name', 'version', 'steps']);
	if (problem) return fail([problem.field ?? []].flat(), problem.message, reading);
	const { name = '', version = 1, steps }: Record<string, unknown> = Object(content);
	if (version !== 1) fail(['version'], 'version must be 1', reading);
	if (typeof name !== 'string') fail(['name'], 'name must be text', reading);
	if (Array.isArray(steps) && steps.length > 0) return { name, given: steps as unknown[] };
	return fail(['steps'], 'steps must be a list of steps', reading);
}

function parsed(reading: Reading): unknown {
	try {
		return reading.document.toJS();
	} catch (error) {
		return fail([], (error as Error).message, reading); // an alias without an anchor, or too many aliases
	}
}

/** `dut.expect` is about the board with the role `dut`. */
function splitRole(given: unknown, path: Path, reading: Reading) {
	if (typeof given !== 'object' || given === null || Array.isArray(given)) {
		return { role: null, fields: given };
	}
	const names = Object.keys(given).map((name) => name.split(/\.(.*)/s));
	const [role = null, ...others] = new Set(names.map(([first, rest]) => rest && first));
	if (others.length > 0) fail(path, 'all fields of a step must have the same role', reading);
	const values = Object.values(given).map((value, at) => [
		names[at]?.[role === null ? 0 : 1],
		value,
	]);
	return { role, fields: Object.fromEntries(values) };
}

function readStep(given: unknown, path: Path, reading: Reading): ScenarioStep {
	const copy = structuredClone(given); // aliases share what they repeat
	const step = Object(copy);
	for (const [name, read] of Object.entries(readers)) {
		if (!Object.hasOwn(step, name)) continue;
		try {
			step[name] = read(step[name]);
		} catch (error) {
			fail([...path, name], `${name}: ${(error as Error).message}`, reading); // nothing else is thrown
		}
	}
	const problem = problemOf(copy, kinds);
	if (problem) fail([...path, ...[problem.field ?? []].flat()], problem.message, reading);
	const { wait: waitMs, ...others } = step;
	return waitMs === undefined ? others : { waitMs };
}

function fail(path: Path, message: string, reading: Reading): never {
	throw new Error(`${placeOf(startOf(path, reading), reading)}: ${message}`);
}

/** Where the node begins, or the closest one around it. */
function startOf(path: Path, { document }: Reading) {
	let node: Node | null | undefined;
	for (let length = path.length; !node && length >= 0; length--) {
		const found = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
		node = found as Node | null | undefined; // true: the node and not its value
	}
	return node?.range?.[0];
}

function placeOf(start: number | undefined, { file, lines }: Reading) {
	return `${file}:${Math.max(lines.linePos(start ?? 0).line, 1)}`;
}

function patternOf(value: unknown) {
	return typeof value === 'string' ? readPattern(value) : value;
}
