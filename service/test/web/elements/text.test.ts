import { expect, test } from 'vitest';
import { relativeTime } from '../../../../web/src/elements/text.tsx';

const now = Date.parse('2026-05-01T12:00:00.000Z');

test.each([
	['2026-05-01T11:59:50.000Z', 'just now'],
	['2026-05-01T11:58:30.000Z', '1 minute ago'],
	['2026-05-01T09:30:00.000Z', '2 hours ago'],
	['2026-04-30T11:00:00.000Z', 'yesterday'],
	['2026-04-10T12:00:00.000Z', '3 weeks ago'],
	['2024-05-01T12:00:00.000Z', '2 years ago'],
])('%s reads as %s', (moment, words) => {
	expect(relativeTime(moment, now)).toBe(words);
});
