// Renders the scenarios and channels as a page of the documentation.
import { action } from './action.ts';
import { client } from './client.ts';
import { commandLine } from './command-line.ts';
import { curlChannel } from './curl.ts';
import { mcp } from './mcp.ts';
import { type Channel, type Scenario, scenarios } from './scenarios.ts';
import { webPage } from './web-page.ts';

export const channels: Readonly<Record<string, Channel>> = {
	'Web page': webPage,
	'Command line': commandLine,
	Client: client,
	Action: action,
	curl: curlChannel,
	'Coding agent': mcp,
};

// The keys of a literal object are its names.
export const scenarioNames = Object.keys(scenarios) as Scenario[];

export function renderGrid() {
	const notes: string[] = [];
	const note = (text: string) => {
		if (!notes.includes(text)) notes.push(text);
		return `[${notes.indexOf(text) + 1}](#notes)`;
	};
	const rows = scenarioNames.map((name) => {
		const cells = Object.values(channels).map((channel) => {
			const cell = channel[name];
			return typeof cell === 'function' ? '✓' : note(cell.missing);
		});
		return `| ${[name, `\`${scenarios[name]}\``, ...cells].join(' | ')} |`;
	});
	const titles = ['Scenario', 'Outcome', ...Object.keys(channels)];
	return [
		'# Feature parity',
		'',
		'Every channel gives the same outcome or the same error code. `npm run parity` runs each scenario through',
		'each channel, on SQLite and on PostgreSQL, and writes this page if all outcomes match. The tests repeat',
		'the scenarios on SQLite. The web pages are used without JavaScript, and the tools for coding agents at `/mcp`.',
		'',
		`| ${titles.join(' | ')} |`,
		`|${' --- |'.repeat(titles.length)}`,
		...rows,
		'',
		'## Notes',
		'',
		...notes.map((text, index) => `${index + 1}. ${text}`),
		'',
	].join('\n');
}
