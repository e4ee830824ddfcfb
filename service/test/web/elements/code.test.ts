import { expect, test } from 'vitest';
import { literal, requestExamples, shell } from '../../../../web/src/elements/code.tsx';

test.each([
	['esp32-s3', 'esp32-s3'],
	['two words', "'two words'"],
	["it's", "'it'\\''s'"],
	['$(rm -rf ~)', "'$(rm -rf ~)'"],
	['', "''"],
	['a\x03b\x1b[201~\x9b', "$'a\\003b\\033[201~\\302\\233'"],
	["it's\r\n\\", "$'it\\047s\\r\\n\\134'"],
])('the shell reads %j as one word', (text, word) => {
	expect(shell(text)).toBe(word);
});

test.each([
	["it's", '"it\'s"'],
	['a "word"', `'a "word"'`],
	['back\\slash"', `'back\\\\slash"'`],
	['line\nbreak', "'line\\nbreak'"],
	['\x7f\x9b', "'\\x7F\\x9B'"],
	[{ boardType: 'esp32', status: undefined }, "{ boardType: 'esp32' }"],
	[5, '5'],
])('%j is written as TypeScript', (value, text) => {
	expect(literal(value)).toBe(text);
});

test('a POST example in curl has its method, its body and the key', () => {
	const { curl } = requestExamples({
		baseUrl: 'https://api.example.com',
		method: 'POST',
		path: '/v1/auth/keys',
		json: { label: "it's" },
		cli: [],
		typescript: '',
	});
	expect(curl).toContain('-X POST');
	expect(curl).toContain(`-d '{"label":"it'\\''s"}'`);
	expect(curl).toContain('"Authorization: Bearer $SERVICE_API_KEY"');
});
