// One account and what an administrator can do about it.
import type { AccountRecord } from '../../accounts/search.ts';
import type { CreditEntryRow } from '../../database/schema.ts';
import type { ApiError } from '../../errors.ts';
import { Ledger } from '../credits/ledger.tsx';
import { Field, FormAlert } from '../elements/field.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { Credits } from '../elements/tier.tsx';
import { Time } from '../elements/time.tsx';
import { AccountBadges } from './account-state.tsx';

interface AccountDetailProps {
	account: AccountRecord;
	entries: CreditEntryRow[];
	/** Whether it is the administrator's own: one cannot lock oneself out. */
	self: boolean;
	token: string;
	amount: string;
	fault: ApiError | undefined;
}

export function AccountDetail({
	account,
	entries,
	self,
	token,
	amount,
	fault,
}: AccountDetailProps) {
	return (
		<>
			<p class="back">
				<a href="/admin/accounts">Accounts</a>
			</p>
			<PageHead title={account.email} lead={<AccountBadges {...account} />} />
			<FormAlert fault={fault} labels={{ amount: 'Amount', change: 'This' }} />
			<div class="columns">
				<section class="card">
					<h2>Facts</h2>
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
					{self ? (
						<p class="muted small" id="change">
							This is your own account. Another administrator can change its role or disable it.
						</p>
					) : (
						<StandingForms {...account} />
					)}
				</section>
				<section class="card">
					<h2>Grant credits</h2>
					<p class="muted">The first grant lifts the account to the paid tier.</p>
					<form method="post" action={`/admin/accounts/${account.id}/credits`}>
						<input type="hidden" name="token" value={token} />
						<Field
							name="amount"
							label="Amount"
							value={amount}
							fault={fault}
							input={{ inputmode: 'numeric', maxlength: 9, autocomplete: 'off' }}
						/>
						<button type="submit" class="button primary">
							Grant
						</button>
					</form>
				</section>
			</div>
			{entries.length > 0 && (
				<section>
					<h2>Ledger</h2>
					<Ledger entries={entries} />
				</section>
			)}
		</>
	);
}

function StandingForms({ id, role, disabled_at }: AccountRecord) {
	return (
		<form method="post" action={`/admin/accounts/${id}/standing`} class="actions">
			<button
				type="submit"
				class="button"
				name="change"
				value={role === 'admin' ? 'demote' : 'promote'}
			>
				{role === 'admin' ? 'Make a user' : 'Make an administrator'}
			</button>
			<button
				type="submit"
				class={disabled_at ? 'button' : 'button danger'}
				name="change"
				value={disabled_at ? 'enable' : 'disable'}
			>
				{disabled_at ? 'Enable' : 'Disable'}
			</button>
		</form>
	);
}
