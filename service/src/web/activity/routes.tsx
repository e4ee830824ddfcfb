// The activity log: of the own account, and of all for administrators.
import { activityKinds } from 'board-access-contract';
import type { Child } from 'hono/jsx';
import { findAccount } from '../../accounts/store.ts';
import {
	type ActivityFilter,
	activityLines,
	activityList,
	asSeenBy,
	listActivity,
} from '../../activity/store.ts';
import { pageRequest } from '../../database/pagination.ts';
import { respondStream } from '../../http/stream.ts';
import { literal, requestExamples, SameRequest } from '../elements/code.tsx';
import { Back } from '../elements/form.tsx';
import { EmptyState, Older } from '../elements/list.tsx';
import { Choice, SearchForm } from '../elements/search.tsx';
import { PageHead } from '../elements/text.tsx';
import { readLine } from '../form.ts';
import type { MemberVisit, Pages } from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { ActivityTable } from './activity-table.tsx';
import { isKind, kindWords } from './words.ts';

const pageSize = '50';

export function activityPages({ members, admins }: Pages) {
	members.get('/account/activity', showOwn);
	members.get('/account/activity/export', exportOwn);
	admins.get('/admin/activity', showAll);
	admins.get('/admin/activity/export', exportAll);
}

function read({ c, parts }: MemberVisit, filter: ActivityFilter) {
	const cursor = c.req.query('cursor');
	const page = pageRequest(activityList(filter), { limit: pageSize, cursor });
	return listActivity(parts.database.query, filter, page);
}

async function showOwn(visit: MemberVisit) {
	const { id } = visit.account;
	const { data, next_cursor } = await read(visit, { accountId: id });
	const entries = data.map((entry) => asSeenBy(id, entry));
	const { activityDays } = visit.parts.settings;
	const main = (
		<>
			<Back href="/account" text="Account" />
			<PageHead
				title="Activity"
				lead={`What changed on your account in the last ${activityDays} days. If you do not recognize something, change your password and revoke your keys.`}
			/>
			<ActivityTable entries={entries} own={true} />
			<Foot visit={visit} next={next_cursor} chosen={{}} api="/v1/activity" filter={{}} />
		</>
	);
	return { title: 'Activity', main };
}

/** What the address filters by; an account that does not exist has no entries. */
async function readFilter({ c, parts }: MemberVisit) {
	const account = readLine(c, 'account');
	const text = readLine(c, 'kind');
	const kind = isKind(text) ? text : undefined;
	const found = account ? await findAccount(parts.database.query, account) : undefined;
	const accountId = found?.id || account || undefined;
	return { filter: { accountId, kind }, chosen: { account, kind } };
}

async function showAll(visit: MemberVisit) {
	const { filter, chosen } = await readFilter(visit);
	const { data, next_cursor } = await read(visit, filter);
	const { activityDays } = visit.parts.settings;
	const wanted = { account_id: filter.accountId, kind: filter.kind };
	const main = (
		<>
			<PageHead
				title="Activity"
				lead={`What changed in the last ${activityDays} days: who, when, and from where.`}
			/>
			<SearchForm
				action="/admin/activity"
				name="account"
				label="Account"
				placeholder="Email address or account id…"
				text={chosen.account}
				submit="Filter"
			>
				<Choice
					name="kind"
					label="Kind"
					all="Every kind"
					options={activityKinds.map((name) => [name, kindWords[name]])}
					chosen={chosen.kind}
				/>
			</SearchForm>
			{data.length === 0 ? (
				<EmptyState icon="search" title="No activity matches">
					<p>
						Choose another filter, or <a href="/admin/activity">show everything</a>.
					</p>
				</EmptyState>
			) : (
				<ActivityTable entries={data} own={false} />
			)}
			<Foot
				visit={visit}
				next={next_cursor}
				chosen={chosen}
				api="/v1/admin/activity"
				filter={wanted}
			/>
		</>
	);
	return { title: 'Activity', main };
}

interface FootProps {
	visit: MemberVisit;
	next: string | null;
	/** The filter of the page, and that of the API. */
	chosen: Record<string, string | undefined>;
	filter: Record<string, string | undefined>;
	api: string;
}

/** The way to older entries, to all of them in a file, and to the API. */
function Foot({ visit: { c, parts }, next, chosen, filter, api }: FootProps): Child {
	const filtered = withQuery(api, filter);
	const query = filtered === api ? undefined : filter;
	const examples = requestExamples({
		baseUrl: parts.settings.baseUrl,
		path: filtered,
		cli: ['api', 'GET', filtered, '--paginate'],
		typescript: `const { data } = await client.request(${literal({ method: 'GET', path: api, query })});`,
	});
	return (
		<>
			<Older href={next && withQuery(c.req.path, { ...chosen, cursor: next })}>
				<a class="button" href={withQuery(`${c.req.path}/export`, chosen)} download>
					Download as JSON lines
				</a>
			</Older>
			<SameRequest examples={examples} />
		</>
	);
}

function exportOwn(visit: MemberVisit) {
	const { id } = visit.account;
	const { query } = visit.parts.database;
	return download(
		visit,
		activityLines(query, { accountId: id }, (entry) => asSeenBy(id, entry)),
	);
}

async function exportAll(visit: MemberVisit) {
	const { filter } = await readFilter(visit);
	return download(visit, activityLines(visit.parts.database.query, filter));
}

function download({ c, parts }: MemberVisit, lines: AsyncIterable<string>) {
	return respondStream(c, {
		contentType: 'application/x-ndjson',
		stopping: parts.stopping,
		headers: { 'content-disposition': 'attachment; filename="activity.jsonl"' },
		pieces: (signal) => encoded(lines, signal),
	});
}

async function* encoded(lines: AsyncIterable<string>, signal: AbortSignal) {
	const encoder = new TextEncoder();
	for await (const text of lines) {
		if (signal.aborted) return;
		yield encoder.encode(text);
	}
}
