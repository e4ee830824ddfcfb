// A firmware test as a JUnit report, which GitHub, GitLab and Jenkins show with other tests.
import { printableText } from '../contract/printable.ts';
import { escapeMarkup } from './escape.ts';
import { type FirmwareTestReport, isFailure, type StepReport } from './firmware-report.ts';

const maxOutput = 64 * 1024;
const lastLines = 20;

export function junitReport(report: FirmwareTestReport, suite: string) {
	const cases = casesOf(report);
	const count = (wanted: string) => cases.filter(({ status }) => status === wanted).length;
	const counts = `tests="${cases.length}" failures="${count('failed')}" errors="${count('error')}" skipped="${count('skipped')}"`;
	const end = report.console.split('\n').slice(-lastLines).join('\n');
	return [
		'<?xml version="1.0" encoding="UTF-8"?>',
		`<testsuites ${counts} time="${seconds(report.milliseconds)}">`,
		`<testsuite name="${escaped(suite)}" ${counts} time="${seconds(report.milliseconds)}">`,
		...propertiesOf(report),
		...cases.map((each) => testCase(each, suite, { type: report.result, end })),
		`<system-out>${escaped(report.console.slice(-maxOutput))}</system-out>`,
		'</testsuite>',
		'</testsuites>',
		'',
	].join('\n');
}

function propertiesOf({ boards }: FirmwareTestReport) {
	const properties = boards.map(
		({ role, boardId }) =>
			`<property name="${role ? `board.${role}` : 'board'}" value="${escaped(boardId ?? '')}"/>`,
	);
	return properties.length > 0 ? ['<properties>', ...properties, '</properties>'] : [];
}

/** Adds a case if a run failed without a failed step. */
function casesOf({ steps, result, message, milliseconds }: FirmwareTestReport) {
	const explains = ({ status }: StepReport) =>
		result === 'passed' || status === 'failed' || status === 'error';
	if (steps.some(explains)) return steps;
	const status = result === 'passed' ? result : isFailure(result) ? 'failed' : 'error';
	return [...steps, { name: 'runs', status, milliseconds, message } as const];
}

function testCase(
	{ name, status, milliseconds, message }: Omit<StepReport, 'kind'>,
	suite: string,
	{ type, end }: { type: string; end: string },
) {
	const start = `<testcase classname="${escaped(suite)}" name="${escaped(name)}" time="${seconds(milliseconds)}"`;
	if (status === 'passed') return `${start}/>`;
	if (status === 'skipped') return `${start}><skipped/></testcase>`;
	const kind = status === 'failed' ? 'failure' : 'error';
	return `${start}><${kind} type="${type}" message="${escaped(message)}">${escaped(end)}</${kind}></testcase>`;
}

function seconds(milliseconds: number) {
	return (milliseconds / 1000).toFixed(3);
}

/** Without characters that XML cannot contain, and marks with which Jenkins and GitLab attach files. */
function escaped(text: string) {
	const known = printableText(text)
		.replace(/[^\t\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
		.replace(/\[(?=\[[a-z]+\|)/gi, '[ ');
	return escapeMarkup(known).replaceAll('\n', '&#10;');
}
