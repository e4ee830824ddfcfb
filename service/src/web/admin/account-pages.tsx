// The list of all accounts, and one account with what an administrator can change about it.
import {
	type AccountRecord,
	accountSorts,
	accountWithCredits,
	countAccounts,
	searchAccounts,
} from '../../accounts/search.ts';
import { listCredits } from '../../credits/store.ts';
import { ApiError } from '../../errors.ts';
import { Ledger } from '../credits/ledger.tsx';
import { CodeBlock } from '../elements/code.tsx';
import {
	Back,
	ButtonLink,
	Field,
	FormActions,
	FormAlert,
	type FormState,
	FormToken,
} from '../elements/form.tsx';
import { Icon } from '../elements/icon.tsx';
import { readPage, readSearch, SearchedList } from '../elements/search.tsx';
import { Credits, Facts, Name, PageHead, StrongName, TierBadge, Time } from '../elements/text.tsx';
import type { MemberVisit } from '../pages.tsx';
import { withQuery } from '../paths.ts';

export async function listAccounts({ c, parts }: MemberVisit) {
	const { query } = parts.database;
	const { text, sort } = readSearch(c, accountSorts);
	const { slice, ...choice } = readPage(c.req.query(), await countAccounts(query, text));
	const main = (
		<>
			<PageHead title="Accounts" lead="Everyone who can use this service, with tier and role." />
			<SearchedList
				{...choice}
				path="/admin/accounts"
				noun="account"
				placeholder="Email address…"
				text={text}
				sort={sort}
				sorts={accountSorts}
				caption="Accounts"
				rows={await searchAccounts(query, text, { ...sort, ...slice })}
				columns={(sorted) => [
					{ label: 'Account', cell: AccountName, sort: sorted('email'), class: 'main-cell' },
					{ label: 'Tier and role', cell: AccountBadges, class: 'bare' },
					{ label: 'Credits', cell: balanceOf, sort: sorted('credits') },
					{ label: 'Created', cell: creationOf, sort: sorted('created_at') },
				]}
			/>
			<details class="same-request">
				<summary>From the command line, on the machine that runs the service</summary>
				<CodeBlock id="account-commands" what="the commands" text={commands} />
			</details>
		</>
	);
	return { title: 'Accounts', main };
}

const commands = `board-access-service account list
board-access-service account create ann@example.com
board-access-service account credit ann@example.com 100
board-access-service account promote ann@example.com
board-access-service account disable ann@example.com
board-access-service account reset-two-factor ann@example.com
board-access-service account delete ann@example.com`;

function AccountName({ id, email }: AccountRecord) {
	return (
		<a href={`/admin/accounts/${id}`}>
			<StrongName text={email} />
		</a>
	);
}

function AccountBadges({ role, paid, disabled_at, two_factor_at }: AccountRecord) {
	return (
		<span class="badges">
			<TierBadge paid={paid} />
			{role === 'admin' && <span class="badge role-admin">Administrator</span>}
			{two_factor_at && <span class="badge">Two-factor</span>}
			{disabled_at && <span class="badge status-offline">Disabled</span>}
		</span>
	);
}

export function balanceOf({ credits }: AccountRecord) {
	return <Credits amount={credits} />;
}

export function creationOf({ created_at }: AccountRecord) {
	return <Time at={created_at} />;
}

export async function findAccount({ c, parts }: MemberVisit) {
	const account = await accountWithCredits(parts.database.query, c.req.param('id') ?? '');
	if (!account) throw new ApiError('not_found', 'There is no such account.');
	return account;
}

export async function showAccount(visit: MemberVisit, amount = '', error?: ApiError) {
	const account = await findAccount(visit);
	const entries = await listCredits(visit.parts.database.query, account.id);
	const facts = [
		['Balance', balanceOf(account)],
		['Created', creationOf(account)],
		['Identifier', <code>{account.id}</code>],
	] as const;
	const main = (
		<>
			<Back href="/admin/accounts" text="Accounts" />
			<PageHead title={<Name>{account.email}</Name>} lead={<AccountBadges {...account} />} />
			<FormAlert error={error} />
			<div class="columns">
				<section class="card">
					<h2>Details</h2>
					<Facts facts={facts} />
					<p>
						<a href={withQuery('/admin/activity', { account: account.email })}>
							Activity of this account
						</a>
					</p>
					{account.id === visit.account.id ? <OwnAccount /> : <AccountChanges {...account} />}
				</section>
				<section class="card">
					<h2>Grant credits</h2>
					<p class="muted">The first grant puts the account on the paid tier.</p>
					<GrantForm account={account} form={{ values: { amount }, error }} />
				</section>
			</div>
			{entries.length > 0 && (
				<section>
					<h2>Ledger</h2>
					<Ledger entries={entries} own={false} />
				</section>
			)}
		</>
	);
	return { title: account.email, main };
}

function GrantForm({ account, form }: { account: AccountRecord; form: FormState }) {
	return (
		<form method="post" action={`/admin/accounts/${account.id}/credits`}>
			<FormToken />
			<Field
				name="amount"
				label="Amount"
				form={form}
				input={{ inputmode: 'numeric', maxlength: 9 }}
			/>
			{!account.verified_at && (
				<>
					<UnverifiedWarning />
					<label class="check">
						<input id="sure" name="sure" type="checkbox" required /> The account belongs to the
						person I mean
					</label>
				</>
			)}
			<FormActions submit="Grant" />
		</form>
	);
}

function OwnAccount() {
	return (
		<p class="muted small" id="change">
			This is your own account. Only another administrator can change its role or disable it. You
			can delete it on <a href="/account">your account page</a>.
		</p>
	);
}

function AccountChanges({ id, role, disabled_at, two_factor_at }: AccountRecord) {
	const changes: AccountChange[] = [
		role === 'admin' ? 'demote' : 'promote',
		disabled_at ? 'enable' : 'disable',
		...(two_factor_at ? (['reset-two-factor'] as const) : []),
		'delete',
	];
	return (
		<p class="actions">
			{changes.map((change) => (
				<ButtonLink
					href={`/admin/accounts/${id}/${change}`}
					text={accountChanges[change].submit}
					look={accountChanges[change].harmful ? 'danger' : undefined}
					asks
				/>
			))}
		</p>
	);
}

/** What an administrator can change, and what is asked before. */
export const accountChanges = {
	promote: {
		submit: 'Make an administrator',
		title: 'Make this account an administrator?',
		lead: 'It can then change base images, boards and every other account, and use the administrator API with its keys.',
		harmful: false,
	},
	demote: {
		submit: 'Make a user',
		title: 'Remove the administrator role?',
		lead: 'The account and its keys lose access to the administrator pages and API immediately.',
		harmful: false,
	},
	disable: {
		submit: 'Disable',
		title: 'Disable this account?',
		lead: 'It is logged out, its API keys stop working and its leases end immediately. You can enable it again.',
		harmful: true,
	},
	enable: {
		submit: 'Enable',
		title: 'Enable this account?',
		lead: 'It can log in again, and its API keys work again.',
		harmful: false,
	},
	'reset-two-factor': {
		submit: 'Turn off two-factor authentication',
		title: 'Turn off two-factor authentication?',
		lead: 'For somebody who lost their phone and their recovery codes. The next log-in needs only the password.',
		harmful: false,
	},
	delete: {
		submit: 'Delete',
		title: 'Delete this account?',
		lead: 'It is logged out, its API keys stop working and its leases end immediately. Its ledger stays, and its email address can be used again. This cannot be undone.',
		harmful: true,
	},
} as const;

export type AccountChange = keyof typeof accountChanges;

export function UnverifiedWarning() {
	return (
		<p class="callout important">
			<Icon name="alert" />
			<span>
				<strong>This address was never verified.</strong> Anyone can sign up with an address that is
				not theirs: make sure that the account belongs to the person you mean.
			</span>
		</p>
	);
}
