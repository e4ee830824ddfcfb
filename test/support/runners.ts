// What a terminal and the runners of CI systems obey in the output of a program, as their own sources say it.
// biome-ignore-all lint/suspicious/noControlCharactersInRegex: they are what is looked for.

/** .NET ends a line at each of these, TrimStart removes these characters, and a byte order mark is skipped. */
const linesOf = (text: string) => text.split(/\r\n|\r|\n/);
const trimmed = (line: string) => line.replace(/^[\s\x85]+/, '');

/** Whether a runner would obey something in the text. */
const runners: Readonly<Record<string, (text: string) => boolean>> = {
	'GitHub, actions/runner, ActionCommand.TryParseV2': (text) =>
		linesOf(text).some((line) => trimmed(line).startsWith('::')),
	'GitHub, ActionCommand.TryParse': (text) => linesOf(text).some((line) => line.includes('##[')),
	'Azure, azure-pipelines-agent, Command.TryParse and its warning': (text) => /##vso/i.test(text),
	'TeamCity, service messages': (text) => /##teamcity\[/i.test(text),
	'GitLab, build_trace_section_regex': (text) =>
		/section_(start|end):\d+:[\w.-]+(\[.*\])?\r(\x1b\[0K|$)/.test(text),
	'Buildkite, header_times_streamer.go': (text) =>
		text
			.split(/\n|\r(?!\n)/)
			.map((line) => line.replace(/\x1b\[[;\d]*[mK]/g, ''))
			.some((line) => /^(?:---|\+\+\+|~~~|\^\^\^)[\t\r ]/.test(line)),
	'a terminal': (text) => /[^\P{Cc}\t\n\r]|[\p{Bidi_Control}\p{Zl}\p{Zp}]|\r(?!\n)/u.test(text),
};

/** The names of those that would obey something in the text. */
export const obeys = (text: string) =>
	Object.entries(runners).flatMap(([name, isObeyed]) => (isObeyed(text) ? [name] : []));

/** Each is obeyed by one of them. */
export const attacks = [
	'::add-mask::a',
	'  \t::stop-commands::x',
	'\ufeff::error::x',
	'\xa0::error::x',
	'\x85::error::x',
	'text\r::set-output name=result::passed',
	':\b:error::x',
	':\x1b[0m:error::x',
	':\u202e:error::x',
	'x ##[group]y',
	'#\x1b[1m#[add-mask]y',
	'##vso[task.setvariable variable=a]b',
	'###vso[task.complete result=Failed;]',
	"##teamcity[buildStatus status='SUCCESS']",
	'section_start:1:build\r\x1b[0KBuild',
	'section_end:1:build\r',
	'--- Deploy',
	'+++ a',
	'~~~ a',
	'^^^ +++',
	'-\x07-- Deploy',
	'a\r--- Deploy',
	'\x1b]1338;url=http://a/b.png\x07',
	'\x1b]52;c;ZWNobyBoaQ==\x07',
	'\x1b]8;;http://evil/\x1b\\click\x1b]8;;\x1b\\',
	'\x1b]0;title\x07',
	'\x1b_bk;t=1\x07',
	'\x1bP$qm\x1b\\',
	'\x9b31m',
	'\x9d52;c;eA==\x9c',
	'\x1b]52;c;never closed',
	'\x9d\rx\x9c',
	'\x1b[2J',
	'\x1bc',
	'a\u2028::error::x',
];
