// What goes on in the laboratory: boards, use, waiting, failures and agents, read again every ten seconds.

import { readOverview } from 'board-access-core';
import type { Child } from 'hono/jsx';
import { Button } from '../../elements/form.tsx';
import { AsOf, Live } from '../../elements/list.tsx';
import type { MemberVisit, Pages } from '../../pages.tsx';
import { withQuery } from '../../paths.ts';
import { Figures, number } from './figures.tsx';
import { download } from './files.ts';
import {
	agentFields,
	causeFields,
	type Field,
	FieldTable,
	queueFields,
	troubleFields,
	typeFields,
} from './tables.tsx';
import { readPeriod } from './view.ts';

const path = '/admin/overview';
/** The rows of a table; its file has all. */
const maxRows = 8;

export function overviewPages({ admins }: Pages) {
	admins.get(path, show);
	admins.get(`${path}/:table`, download);
}

async function show(visit: MemberVisit) {
	const { account, services } = visit;
	const chosen = readPeriod(visit);
	const view = await services.limits.costlyRead(account.id, () =>
		readOverview(services.database, chosen.period, maxRows),
	);
	const { agents, queue, time, types } = view;
	const file = (table: string) => withQuery(`${path}/${table}.csv`, chosen.kept);
	const main = (
		<div class="overview">
			<h1 class="unseen">Overview</h1>
			<PeriodForm kept={chosen.kept} />
			<Live pause>
				<AsOf at={time} href={withQuery(path, chosen.kept)} />
				<Figures {...view} />
				<Table
					title="Boards by type"
					note={`${number(types.length)} types`}
					file={file('boards')}
					rows={types}
					fields={typeFields}
					none="There are no boards yet."
				/>
				<p class="small">
					{chosen.label} hour by hour, as CSV: <a href={file('use')}>boards in use</a>,{' '}
					<a href={file('waits')}>waits</a>.
				</p>
				<div class="overview-lists">
					<Table
						title="Queue"
						note={`${number(view.use.today.get('unserved') ?? 0)} ended today without a board`}
						file={file('queue')}
						rows={queue}
						fields={queueFields(time)}
						none="Nobody waits for a board."
					/>
					<Table
						title="Failures by cause"
						note={chosen.label}
						file={file('failures')}
						rows={view.causes}
						fields={causeFields(view.causes)}
						none="Nothing has failed in this period."
					/>
					<Table
						title="Boards with most trouble"
						note={chosen.label}
						file={file('trouble')}
						rows={view.trouble}
						fields={troubleFields(view.period)}
						none="No board has failed in this period."
					/>
					<Table
						title="Agents"
						note={<a href="/admin/agents">{`All ${number(agents.length)}`}</a>}
						file={file('agents')}
						rows={agents}
						fields={agentFields(time)}
						none="There are no agents yet."
					/>
				</div>
			</Live>
		</div>
	);
	return { title: 'Overview', main };
}

function Table<Row>(props: {
	title: string;
	note: Child;
	file: string;
	rows: readonly Row[];
	fields: Field<Row>[];
	none: string;
}) {
	const { title, rows, fields } = props;
	return (
		<section class="panel">
			<div class="panel-head">
				<h2>{title}</h2>
				<span class="muted small">{props.note}</span>
				<a class="small" href={props.file} download aria-label={`${title} as CSV`}>
					CSV
				</a>
			</div>
			{rows.length === 0 && <p class="muted">{props.none}</p>}
			{rows.length > 0 && (
				<FieldTable caption={title} rows={rows.slice(0, maxRows)} fields={fields} />
			)}
		</section>
	);
}

function PeriodForm({ kept }: { kept: { day?: string | undefined; days?: string | undefined } }) {
	const current = (is: boolean) => (is ? 'true' : undefined);
	return (
		<form class="toolbar period" method="get" action={path}>
			<a href={path} aria-current={current(!kept.day && !kept.days)}>
				7 days
			</a>
			<a href={`${path}?days=30`} aria-current={current(kept.days === '30')}>
				30 days
			</a>
			<label for="day">A day</label>
			<input id="day" name="day" type="date" value={kept.day} required />
			<Button text="Show" />
		</form>
	);
}
