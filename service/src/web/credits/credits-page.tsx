// The balance, the ledger, and the form for more.
import type { Account } from '../../accounts/store.ts';
import type { BoardRate } from '../../boards/rates.ts';
import type { CreditEntryRow } from '../../database/schema.ts';
import type { ApiError } from '../../errors.ts';
import { Button } from '../elements/button.tsx';
import { Credits, TierBadge } from '../elements/credits.tsx';
import { FormAlert } from '../elements/field.tsx';
import { HiddenFields } from '../elements/form.tsx';
import { Icon } from '../elements/icon.tsx';
import { EmptyState } from '../elements/list.tsx';
import { Name } from '../elements/name.tsx';
import { AskForCredits } from '../elements/operator.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { SameRequest } from '../elements/same-request.tsx';
import { createKeyRequest } from '../keys/requests.ts';
import { Ledger } from './ledger.tsx';
import { Prices } from './prices.tsx';

interface CreditsPageProps {
	balance: number;
	entries: CreditEntryRow[];
	rates: BoardRate[];
	paid: boolean;
	canTopUp: boolean;
	account: Account;
	contact: string | undefined;
	/** Whether the top-up takes no money. */
	sandbox: boolean;
	/** Set when the top-up is a step on the way to a new key. */
	forKey: boolean;
	label: string;
	error: ApiError | undefined;
	baseUrl: string;
}

export function CreditsPage(props: CreditsPageProps) {
	return (
		<>
			<PageHead title="Credits" lead="Your first credits put your account on the paid tier." />
			<div class="columns">
				<section class="card balance">
					<h2>Balance</h2>
					<p class="figure">
						<Credits amount={props.balance} />
					</p>
					<TierBadge paid={props.paid} />
					<Tiers paid={props.paid} />
				</section>
				<section class="card">
					<h2>Top up</h2>
					{props.canTopUp ? <TopUpForm {...props} /> : <NoPayments {...props} />}
				</section>
			</div>
			<Prices rates={props.rates} />
			<section>
				<h2>Ledger</h2>
				{props.entries.length === 0 ? (
					<EmptyState icon="coins" title="No transactions yet">
						<p>Top-ups, grants and leases appear here. Entries never change.</p>
					</EmptyState>
				) : (
					<Ledger entries={props.entries} own={true} />
				)}
			</section>
			<SameRequest
				summary="What the paid tier unlocks, as a request"
				examples={createKeyRequest(props.baseUrl)}
				note="On the free tier the response is 402 with the address of this page."
			/>
		</>
	);
}

function Tiers({ paid }: { paid: boolean }) {
	const locked = [
		['key', 'Create API keys', 'With the paid tier: create API keys'],
		['coins', 'Use boards that cost credits', 'With credits: use boards that cost credits'],
	] as const;
	return (
		<ul class="checks">
			<li>
				<Icon name="check" />
				See every board, use the free ones, and use the keys you have
			</li>
			{locked.map(([icon, unlocked, condition]) => (
				<li class={paid ? undefined : 'muted'}>
					<Icon name={paid ? 'check' : icon} />
					{paid ? unlocked : condition}
				</li>
			))}
		</ul>
	);
}

const amounts = ['25', '100', '500'] as const;

function TopUpForm({ forKey, label, error, sandbox }: CreditsPageProps) {
	return (
		<form method="get" action="/credits/top-up">
			<FormAlert error={error} />
			{forKey && (
				<p class="callout">
					After the top-up you continue with your new key
					{label && (
						<strong>
							{' '}
							“<Name>{label}</Name>”
						</strong>
					)}
					.
				</p>
			)}
			<HiddenFields values={forKey ? { for: 'key', label } : {}} />
			<fieldset class="amounts" id="credits">
				<legend>Amount</legend>
				{amounts.map((amount) => (
					<label>
						<input type="radio" name="credits" value={amount} checked={amount === '100'} />
						<span>
							<strong>{amount}</strong> credits
						</span>
					</label>
				))}
			</fieldset>
			<Button text="Continue" look="primary" />
			<p class="muted small">Nothing is booked before you confirm it on the next page.</p>
			{sandbox && <p class="muted small">This is a demonstration: no money is taken.</p>}
		</form>
	);
}

function NoPayments({ account, contact }: Pick<CreditsPageProps, 'account' | 'contact'>) {
	return (
		<p>
			This service takes no payments itself. <AskForCredits account={account} contact={contact} />.
			They then appear in the ledger below.
		</p>
	);
}
