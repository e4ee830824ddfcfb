// The tables of the overview as files: the same columns, and all rows.
import { ApiError, type Overview, readOverview, writeCsv } from 'board-access-core';
import type { MemberVisit } from '../../pages.tsx';
import { waitText } from './figures.tsx';
import {
	agentFields,
	causeFields,
	type Field,
	lastCause,
	queueFields,
	troubleFields,
	typeFields,
} from './tables.tsx';
import { readPeriod } from './view.ts';

/** Of the boards with most trouble, if they are what is downloaded. */
const maxTrouble = 1000;

export async function download(visit: MemberVisit) {
	const { c, account, services } = visit;
	const { period } = readPeriod(visit);
	const table = (c.req.param('table') ?? '').replace(/\.csv$/, '');
	const write = Object.hasOwn(files, table) ? files[table] : undefined;
	if (!write) throw new ApiError('not_found', 'There is no such table.');
	const most = table === 'trouble' ? maxTrouble : 0;
	const text = await services.limits.costlyRead(account.id, async () =>
		writeCsv(write(await readOverview(services.database, period, most))),
	);
	return c.body(text, 200, {
		'content-type': 'text/csv; charset=utf-8',
		'content-disposition': `attachment; filename="${table}.csv"`,
	});
}

/** The boards that were in use in an hour on average, and how many could be, if that was counted. */
function useOfHour({ hours, now, elapsed }: Overview['use'], hour: number) {
	const seconds = hour === now ? elapsed : 3600;
	const boards = hours.get(`${hour} boards`);
	return { boards, used: (hours.get(`${hour} busy_seconds`) ?? 0) / seconds };
}

type WriteFile = (view: Overview) => string[][];

const files: Partial<Record<string, WriteFile>> = {
	boards: ({ types }) => rowsOf(types, typeFields),
	use: ({ use, period: { first, days } }) => {
		const hours = Array.from({ length: days * 24 }, (_, index) => first * 24 + index);
		const rows = hours
			.filter((hour) => hour <= use.now)
			.map((hour) => {
				const { used, boards } = useOfHour(use, hour);
				return [new Date(hour * 3_600_000).toISOString(), used.toFixed(2), String(boards ?? '')];
			});
		return [['hour', 'boards in use on average', 'usable boards'], ...rows];
	},
	waits: ({ use }) => [
		['hour of the day', 'median wait', '95 % of waits'],
		...[...use.waits]
			.sort(([one], [other]) => one - other)
			.map(([hour, waits]) => [String(hour), waitText(waits.half), waitText(waits.most)]),
	],
	queue: ({ queue, time }) => rowsOf(queue, queueFields(time)),
	failures: ({ causes }) => rowsOf(causes, causeFields(causes)),
	trouble: ({ trouble, period }) =>
		rowsOf(trouble, [...troubleFields(period), { label: 'Last failure', text: lastCause }]),
	agents: ({ agents, time }) =>
		rowsOf(agents, [
			...agentFields(time),
			{ label: 'Host', text: ({ host }) => host ?? '' },
			{ label: 'Online', text: ({ connection_id }) => (connection_id === null ? 'no' : 'yes') },
		]),
};

function rowsOf<Row>(rows: readonly Row[], fields: readonly Field<Row>[]) {
	return [
		fields.map(({ label }) => label),
		...rows.map((row) => fields.map(({ text }) => text(row))),
	];
}
