// One account, and what an administrator can change about it.
import type { AccountRecord } from '../../accounts/search.ts';
import type { CreditEntryRow } from '../../database/schema.ts';
import type { ApiError } from '../../errors.ts';
import { Ledger } from '../credits/ledger.tsx';
import { Credits } from '../elements/credits.tsx';
import { Field, FormAlert } from '../elements/field.tsx';
import { Name } from '../elements/name.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { Time } from '../elements/time.tsx';
import { withQuery } from '../paths.ts';
import { AccountBadges } from './account-badges.tsx';
import { accountChanges, isDestructive, UnverifiedWarning } from './change-account.tsx';

interface AccountDetailProps {
	account: AccountRecord;
	entries: CreditEntryRow[];
	/** Whether it is the administrator's own account, which only another administrator can change. */
	self: boolean;
	token: string;
	amount: string;
	error: ApiError | undefined;
}

export function AccountDetail({
	account,
	entries,
	self,
	token,
	amount,
	error,
}: AccountDetailProps) {
	return (
		<>
			<p class="back">
				<a href="/admin/accounts">Accounts</a>
			</p>
			<PageHead title={<Name>{account.email}</Name>} lead={<AccountBadges {...account} />} />
			<FormAlert error={error} />
			<div class="columns">
				<section class="card">
					<h2>Details</h2>
					<dl class="facts">
						<dt>Balance</dt>
						<dd>
							<Credits amount={account.credits} />
						</dd>
						<dt>Created</dt>
						<dd>
							<Time at={account.created_at} />
						</dd>
						<dt>Identifier</dt>
						<dd>
							<code>{account.id}</code>
						</dd>
					</dl>
					<p>
						<a href={withQuery('/admin/activity', { account: account.email })}>
							Activity of this account
						</a>
					</p>
					{self ? (
						<p class="muted small" id="change">
							This is your own account. Only another administrator can change its role or disable
							it. You can delete it on <a href="/account">your account page</a>.
						</p>
					) : (
						<AccountChanges {...account} />
					)}
				</section>
				<section class="card">
					<h2>Grant credits</h2>
					<p class="muted">The first grant puts the account on the paid tier.</p>
					<form method="post" action={`/admin/accounts/${account.id}/credits`}>
						<input type="hidden" name="token" value={token} />
						<Field
							name="amount"
							label="Amount"
							value={amount}
							error={error}
							input={{ inputmode: 'numeric', maxlength: 9, autocomplete: 'off' }}
						/>
						{!account.verified_at && (
							<>
								<UnverifiedWarning />
								<label class="check">
									<input id="sure" name="sure" type="checkbox" required /> The account belongs to
									the person I mean
								</label>
							</>
						)}
						<button type="submit" class="button primary">
							Grant
						</button>
					</form>
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
}

function AccountChanges({ id, role, disabled_at, two_factor_at }: AccountRecord) {
	const changes = [
		role === 'admin' ? ('demote' as const) : ('promote' as const),
		disabled_at ? ('enable' as const) : ('disable' as const),
		...(two_factor_at ? ['reset-two-factor' as const] : []),
		'delete' as const,
	];
	return (
		<p class="actions">
			{changes.map((change) => (
				<a
					class={isDestructive(change) ? 'button danger' : 'button'}
					href={`/admin/accounts/${id}/${change}`}
					data-confirm
				>
					{accountChanges[change].action}
				</a>
			))}
		</p>
	);
}
