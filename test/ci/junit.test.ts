import { describe, expect, it } from 'vitest';
import type { FirmwareTestReport } from '../../src/ci/firmware-report.ts';
import { junitReport } from '../../src/ci/junit.ts';

const passed: FirmwareTestReport = {
	result: 'passed',
	message: '',
	cause: '',
	leaseId: 'lse_1',
	boardId: 'brd_1',
	boards: [{ role: null, boardId: 'brd_1', leaseId: 'lse_1' }],
	steps: [{ kind: 'expect', name: 'ready', status: 'passed', milliseconds: 1500, message: '' }],
	console: 'ready\n',
	output: [],
	milliseconds: 2000,
	credits: 0,
};
const skipped = {
	kind: 'expect',
	name: 'ready',
	status: 'skipped',
	milliseconds: 0,
	message: '',
} as const;

const reportOf = (fields: Partial<FirmwareTestReport>) =>
	junitReport({ ...passed, ...fields }, 'app.hex');

describe('a JUnit report', () => {
	it('has a test case for each expectation', () => {
		const text = reportOf({});
		expect(text).toContain(
			'<testsuite name="app.hex" tests="1" failures="0" errors="0" skipped="0"',
		);
		expect(text).toContain('<testcase classname="app.hex" name="ready" time="1.500"/>');
		expect(text).toContain('<system-out>ready&#10;</system-out>');
	});

	it('has one for the run itself when nothing is expected', () => {
		expect(reportOf({ steps: [] })).toMatch(
			/tests="1" failures="0"[\s\S]*<testcase [^>]*name="runs"/,
		);
	});

	it.each(['no_board', 'board_failed', 'error'] as const)(
		'never passes when the firmware did not run: %s',
		(result) => {
			const text = reportOf({ result, message: 'No board', steps: [skipped] });
			expect(text).toContain('tests="2" failures="0" errors="1" skipped="1"');
			expect(text).toContain(`<error type="${result}" message="No board">ready&#10;</error>`);
		},
	);

	it('reports what interrupted an expectation as an error, with the last lines of the console', () => {
		const lost = { ...skipped, status: 'error', message: 'The connection was lost' } as const;
		const console = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n');
		const text = reportOf({ result: 'error', steps: [lost, skipped], console });
		expect(text).toContain('tests="2" failures="0" errors="1" skipped="1"');
		expect(text).toMatch(
			/<error type="error" message="The connection was lost">line 10&#10;.*line 29<\/error>/,
		);
	});

	it('reports a problem of the firmware as a failure', () => {
		const failed = { ...skipped, status: 'failed', message: 'saw "<FAIL>"' } as const;
		const text = reportOf({ result: 'fail_seen', steps: [failed] });
		expect(text).toContain('failures="1" errors="0"');
		expect(text).toContain('<failure type="fail_seen" message="saw &quot;&lt;FAIL&gt;&quot;">');
	});

	it('holds no lines that Jenkins or GitLab obey', () => {
		const lines = ['[[ATTACHMENT|/etc/passwd]]', '[[PROPERTY|a=b]]', '[[ATTACH\u202eMENT|x]]'];
		const steps = [{ ...skipped, status: 'failed', message: lines[0] ?? '' } as const];
		const text = reportOf({ result: 'fail_seen', console: lines.join('\n'), steps });
		expect(text).not.toMatch(/\[\[[A-Z]+\|/);
		expect(text).toContain('[ [ATTACHMENT|/etc/passwd]]');
		expect(reportOf({ console: '[[0|1]]' })).toContain('[[0|1]]');
	});

	it('omits characters that XML cannot contain', () => {
		const console = `a${String.fromCharCode(0, 7)}b\ud800c\uffff`;
		expect(reportOf({ console })).toContain('<system-out>abc</system-out>');
	});
});
