// Regular expressions meet what firmware prints and what strangers send. Each is tried with texts that
// take long: its time must grow with the length of the text, not with the square of it.
// biome-ignore-all lint/suspicious/noControlCharactersInRegex: they are what is looked for.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { createDrawing, createPrintable } from '../src/contract/printable.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = [
	'src/**/*.ts',
	'core/src/**/*.ts',
	'service/src/**/*.ts',
	'web/src/**/*.{ts,tsx,js}',
	'agent/src/**/*.ts',
];

/** Those that see no text of others, and may take the square of its length. */
const ofOurOwn: readonly (readonly [expression: RegExp, whose: string])[] = [
	[/\/+$/, 'an address in the settings'],
	[/\/*$/, 'an option of the command'],
	[/client error \(Connect\).*dns/, 'a message of the runtime'],
	[/client error \(Connect\).*refused/, 'a message of the runtime'],
	[/^\s*(?:\/\/.*|\/\*[\s\S]*?\*\/)\n/gm, 'a script or stylesheet of the service'],
];

/** Those that are put together at run time, and the test that tries them. */
const constructed: Readonly<Record<string, string>> = {
	'src/ci/run-options.ts': 'an expression of the user: test/leases/console/search-limit.test.ts',
	'src/contract/printable.ts': 'below',
	'src/errors/redact.ts': 'alternatives of fixed length',
	'src/leases/console/expectations.ts': 'as in src/ci/run-options.ts',
	'web/src/scripts/lease/plot/numbers.ts': 'service/test/web/console-text.test.ts',
};

interface Found {
	file: string;
	/** As it is written, or undefined if it is put together. */
	literal: string | undefined;
}

function* expressionsIn(node: ts.Node, file: string): Generator<Found> {
	if (ts.isRegularExpressionLiteral(node)) yield { file, literal: node.text };
	const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
	if (isCall && node.expression.getText() === 'RegExp') yield { file, literal: undefined };
	for (const child of node.getChildren()) yield* expressionsIn(child, file);
}

const all = globSync(sources, { cwd: root }).flatMap((name) => {
	const file = name.replaceAll('\\', '/');
	const text = readFileSync(`${root}/${file}`, 'utf8');
	return [...expressionsIn(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), file)];
});

const length = 32_768;
/** Far from what a time in proportion to the length takes, and from what its square takes. */
const most = 40;

function timeOf(work: () => unknown) {
	const start = performance.now();
	work();
	return performance.now() - start;
}

/** How many times longer it takes: the least of several, because others use the processor, too. */
function timesLonger(work: () => unknown, reference: () => unknown, usual = timeOf(reference)) {
	let least = timeOf(work) / usual;
	for (let attempt = 0; attempt < 4 && least > most; attempt += 1) {
		least = Math.min(least, timeOf(work) / timeOf(reference));
	}
	return least;
}

const letters = 'ab'.repeat(length / 2);
const replaceLetters = () => letters.replace(/\p{L}/gu, '');
const usual = Math.min(...Array.from({ length: 9 }, () => timeOf(replaceLetters)));

/** A text that the expression, or its beginning, nearly matches. */
function sampleOf(source: string) {
	const syntax = /\\(.)|\[(?:\\.|[^\]])*\]|\(\?<?[\w:=!]|\{[\d,]+\}|[\^$*+?()|]/g;
	return source.replace(syntax, (found, escaped) => {
		if (escaped) return /[a-z]/i.test(escaped) ? 'a' : escaped;
		return found.startsWith('[') ? 'a' : '';
	});
}

/** Texts that begin like a match, repeat something, and do not end like one. */
function* textsFor({ source }: RegExp) {
	const repetitions = [...source.matchAll(/[*+{]/g)];
	const begins = new Set(repetitions.map(({ index }) => sampleOf(source.slice(0, index))));
	const words = sampleOf(source).match(/[\w ():'#/-]{2,}/g) ?? [];
	const characters = new Set([...source, ...' \t\n\r\x1b\x90aA1é\u0301']);
	const pieces = [...characters, ...words, '\n\t', 'a ', 'a1', 'x@', '\x1b[', '\x1b]'];
	for (const begin of ['', ...begins]) {
		for (const piece of pieces) {
			yield `${begin}${piece.repeat(length / piece.length)}\n!`;
		}
	}
}

/** The beginning of the first text that takes it long. */
function longText(expression: RegExp) {
	for (const text of textsFor(expression)) {
		const work = () => (expression.global ? text.replace(expression, '') : expression.test(text));
		if (timesLonger(work, replaceLetters, usual) > most) return text.slice(0, 40);
	}
	return undefined;
}

describe('every regular expression of the sources', () => {
	const literals = new Set(all.flatMap(({ literal }) => literal ?? []));
	const repeating = [...literals].filter((literal) => /[*+{]/.test(literal));
	const own = new Set(ofOurOwn.map(([expression]) => String(expression)));

	it.each(repeating.filter((literal) => !own.has(literal)))('%s takes no text long', (literal) => {
		const end = literal.lastIndexOf('/');
		const expression = new RegExp(literal.slice(1, end), literal.slice(end + 1));
		expect(longText(expression)).toBeUndefined();
	});

	it('is one of the sources, if it is listed as one that may take long', () => {
		expect([...literals]).toEqual(expect.arrayContaining([...own]));
	});

	it('is tried, also if it is put together at run time', () => {
		const files = all.filter(({ literal }) => literal === undefined).map(({ file }) => file);
		expect([...new Set(files)].sort()).toEqual(Object.keys(constructed).sort());
	});
});

describe('what firmware prints', () => {
	const inChunks = (print: (chunk: string) => string, text: string) => {
		for (let start = 0; start < text.length; start += 256) print(text.slice(start, start + 256));
	};
	const ordinary = 'I (312) boot: 100 %\r\n'.repeat(length).slice(0, 2 * length);
	const printers: Record<string, (text: string) => unknown> = {
		createPrintable: (text) => inChunks(createPrintable().add, text),
		createDrawing: (text) => inChunks(createDrawing(), text),
	};
	const introducers = ['\x90', '\x98', '\x9b', '\x9d', '\x9f', '\x1b', '\x1b[', '\x1b]', '\x1bP'];
	const others = [
		'\x1b[0;',
		'\x1b]a',
		'\x90a',
		'\x1b]\x1b',
		'#',
		'##t',
		'\r',
		'\u2028',
		' ',
		'\r ',
		':',
	];

	it.each([...introducers, ...others, '-', '-\r'])(
		'is printed soon, also %j again and again',
		(piece) => {
			const text = piece.repeat(ordinary.length / piece.length);
			for (const [name, print] of Object.entries(printers)) {
				const longer = timesLonger(
					() => print(text),
					() => print(ordinary),
				);
				expect(longer, name).toBeLessThan(most);
			}
		},
	);
});
