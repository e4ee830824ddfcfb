// The period of the overview, for the page and for its files.
import { readLine } from '../../form.ts';
import type { MemberVisit } from '../../pages.tsx';

const day = 24 * 60 * 60 * 1000;

/** The period that the address names: 7 or 30 days until today, or one day. */
export function readPeriod({ c, services }: MemberVisit) {
	const today = Math.floor(services.database.clock.now() / day);
	const date = readLine(c, 'day');
	const first = Date.parse(`${date}T00:00:00Z`) / day;
	if (first <= today) return { period: { first, days: 1 }, kept: { day: date }, label: date };
	const days = readLine(c, 'days') === '30' ? 30 : 7;
	const kept = { days: days === 7 ? undefined : String(days) };
	return { period: { first: today - days + 1, days }, kept, label: `${days} days` };
}
