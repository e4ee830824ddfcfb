// The activity log: of the own account, and of all for administrators.
import { findAccount } from '../../accounts/store.ts';
import {
	type ActivityFilter,
	activityLines,
	activityList,
	asSeenBy,
	listActivity,
} from '../../activity/store.ts';
import { pageRequest } from '../../database/pagination.ts';
import type { ServiceApp, ServiceContext } from '../../http/environment.ts';
import { respondStream } from '../../http/stream.ts';
import type { Parts } from '../../parts.ts';
import { EmptyState } from '../elements/empty-state.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { SameRequest } from '../elements/same-request.tsx';
import { readLine } from '../form.ts';
import type { Pages } from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { ActivityFilterForm } from './activity-filter.tsx';
import { ActivityFoot, ActivityTable } from './activity-table.tsx';
import { allActivityRequest, ownActivityRequest } from './requests.ts';
import { isKind } from './words.ts';

const pageSize = '50';

export function activityPages(
	app: ServiceApp,
	{ database: { query }, settings, stopping }: Pick<Parts, 'database' | 'settings' | 'stopping'>,
	{ forMembers, forAdmins }: Pages,
) {
	const { baseUrl, activityDays } = settings;

	const read = (c: ServiceContext, filter: ActivityFilter) => {
		const page = pageRequest(activityList(filter), {
			limit: pageSize,
			cursor: c.req.query('cursor'),
		});
		return listActivity(query, filter, page);
	};

	const download = (c: ServiceContext, lines: AsyncIterable<string>) =>
		respondStream(c, {
			contentType: 'application/x-ndjson',
			stopping,
			headers: { 'content-disposition': 'attachment; filename="activity.jsonl"' },
			pieces: (signal) => encoded(lines, signal),
		});

	app.get(
		'/account/activity',
		forMembers(async ({ c, account }) => {
			const { data, next_cursor } = await read(c, { accountId: account.id });
			const older = next_cursor && withQuery('/account/activity', { cursor: next_cursor });
			const entries = data.map((entry) => asSeenBy(account.id, entry));
			const main = (
				<>
					<p class="back">
						<a href="/account">Account</a>
					</p>
					<PageHead
						title="Activity"
						lead={`What changed on your account in the last ${activityDays} days. If you do not recognize something, change your password and revoke your keys.`}
					/>
					<ActivityTable entries={entries} own={true} />
					<ActivityFoot older={older ?? undefined} file="/account/activity/export" />
					<SameRequest examples={ownActivityRequest(baseUrl)} />
				</>
			);
			return { title: 'Activity', main };
		}),
	);

	app.get(
		'/account/activity/export',
		forMembers(({ c, account: { id } }) =>
			download(
				c,
				activityLines(query, { accountId: id }, (entry) => asSeenBy(id, entry)),
			),
		),
	);

	/** What the address filters by; an account that does not exist has no entries. */
	const readFilter = async (c: ServiceContext) => {
		const given = readLine(c, 'account');
		const kind = readLine(c, 'kind');
		const accountId = given && ((await findAccount(query, given))?.id ?? given);
		const chosen = { account: given, kind: isKind(kind) ? kind : undefined };
		const filter = { accountId: accountId || undefined, kind: chosen.kind };
		return { filter, chosen };
	};

	app.get(
		'/admin/activity',
		forAdmins(async ({ c }) => {
			const { filter, chosen } = await readFilter(c);
			const { data, next_cursor } = await read(c, filter);
			const older = next_cursor && withQuery('/admin/activity', { ...chosen, cursor: next_cursor });
			const main = (
				<>
					<PageHead
						title="Activity"
						lead={`What changed in the last ${activityDays} days: who, when, and from where.`}
					/>
					<ActivityFilterForm {...chosen} />
					{data.length === 0 ? (
						<EmptyState icon="search" title="No activity matches">
							<p>
								Choose another filter, or <a href="/admin/activity">show everything</a>.
							</p>
						</EmptyState>
					) : (
						<ActivityTable entries={data} own={false} />
					)}
					<ActivityFoot
						older={older ?? undefined}
						file={withQuery('/admin/activity/export', chosen)}
					/>
					<SameRequest examples={allActivityRequest(baseUrl, filter)} />
				</>
			);
			return { title: 'Activity', main };
		}),
	);

	app.get(
		'/admin/activity/export',
		forAdmins(async ({ c }) => {
			const { filter } = await readFilter(c);
			return download(c, activityLines(query, filter));
		}),
	);
}

async function* encoded(lines: AsyncIterable<string>, signal: AbortSignal) {
	const encoder = new TextEncoder();
	for await (const text of lines) {
		if (signal.aborted) return;
		yield encoder.encode(text);
	}
}
