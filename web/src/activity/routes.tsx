// The activity log: of the visitor's account, and of every account for administrators.
import { activityKinds } from 'board-access-contract';
import { findAccount, listActivity } from 'board-access-core';
import { Back } from '../elements/form.tsx';
import { EmptyState, NextPage } from '../elements/list.tsx';
import { Choice, readList, SearchForm } from '../elements/search.tsx';
import { PageHead } from '../elements/text.tsx';
import { readLine } from '../form.ts';
import type { MemberVisit, Pages } from '../pages.tsx';
import { activityTable, kindText } from './activity-table.tsx';

export function activityPages({ members, admins }: Pages) {
	members.get('/account/activity', showOwn);
	admins.get('/admin/activity', showAll);
}

async function showOwn({ c, account, services }: MemberVisit) {
	const { page, hrefOf } = readList(c);
	const filter = { accountId: account.id, own: true };
	const { data, next_cursor } = await listActivity(services.database.query, filter, page);
	const { activityDays } = services.settings;
	const main = (
		<>
			<Back href="/account" text="Account" />
			<PageHead
				title="Activity"
				lead={`What changed on your account in the last ${activityDays} days. If you do not recognize something, change your password and revoke your keys.`}
			/>
			{activityTable(data, true)}
			<NextPage href={next_cursor && hrefOf({ cursor: next_cursor })} />
		</>
	);
	return { title: 'Activity', main };
}

/** The filter in the address. An account that does not exist has no entries. */
async function readFilter({ c, services }: MemberVisit) {
	const account = readLine(c, 'account');
	const kind = activityKinds.find((known) => known === c.req.query('kind'));
	const found = account ? await findAccount(services.database.query, account) : undefined;
	const accountId = found?.id || account || undefined;
	return { filter: { accountId, kind }, chosen: { account, kind } };
}

async function showAll(visit: MemberVisit) {
	const { filter, chosen } = await readFilter(visit);
	const { page, hrefOf } = readList(visit.c, chosen);
	const { database, settings } = visit.services;
	const { data, next_cursor } = await listActivity(database.query, filter, page);
	const lead = `What changed in the last ${settings.activityDays} days: who, when, and from where.`;
	const main = (
		<>
			<SearchForm
				path="/admin/activity"
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
					options={activityKinds.map((kind) => [kind, kindText(kind)])}
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
				activityTable(data)
			)}
			<NextPage href={next_cursor && hrefOf({ cursor: next_cursor })} />
		</>
	);
	return { title: 'Activity', lead, main };
}
