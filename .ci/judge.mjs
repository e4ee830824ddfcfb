// Fails unless the tests ran and all of them passed, according to the exit status of their command,
// each test, and each file (one that cannot load has no failed test).
// Usage: judge.mjs <report in JSON> <exit status of the tests>
import { existsSync, readFileSync } from 'node:fs';

const [report, status] = process.argv.slice(2);
const {
	numPassedTests: passed = 0,
	numFailedTests: failedTests = 0,
	testResults: files = [],
} = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
const unloaded = files.filter(
	({ status, assertionResults: tests }) =>
		status === 'failed' && tests.every((test) => test.status !== 'failed'),
);
const failed = failedTests + unloaded.length;

for (const { name } of unloaded) console.log(`failed as a whole: ${name}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = Number(status) || (passed > 0 && failed === 0 ? 0 : 1);
