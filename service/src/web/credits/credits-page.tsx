// The balance, the ledger, and the form for more.
import type { BoardRate } from '../../boards/rates.ts';
import { sandbox } from '../../credits/payment.ts';
import { creditBalance, listCredits } from '../../credits/store.ts';
import { isPaidTier } from '../../credits/tier.ts';
import type { ApiError } from '../../errors.ts';
import { SameRequest } from '../elements/code.tsx';
import { Button, FormAlert, HiddenFields } from '../elements/form.tsx';
import { Icon } from '../elements/icon.tsx';
import { EmptyState } from '../elements/list.tsx';
import { AskForCredits, Credits, Name, PageHead, TierBadge } from '../elements/text.tsx';
import { createKeyRequest } from '../keys/requests.ts';
import type { MemberVisit } from '../pages.tsx';
import { Ledger } from './ledger.tsx';
import { Prices } from './prices.tsx';

/** What the address or the form says a top-up is for: nothing, or a new key with a label. */
export interface Purpose {
	for?: string;
	label?: string;
}

export async function showCredits(
	{ account, parts: { database, payments, settings } }: MemberVisit,
	{ rates, purpose, error }: { rates: BoardRate[]; purpose: Purpose; error?: ApiError | undefined },
) {
	const paid = await isPaidTier(database.query, account.id);
	const entries = await listCredits(database.query, account.id);
	const main = (
		<>
			<PageHead title="Credits" lead="Your first credits put your account on the paid tier." />
			<div class="columns">
				<section class="card balance">
					<h2>Balance</h2>
					<p class="figure">
						<Credits amount={await creditBalance(database.query, account.id)} />
					</p>
					<TierBadge paid={paid} />
					<Tiers paid={paid} />
				</section>
				<section class="card">
					<h2>Top up</h2>
					{payments ? (
						<TopUpForm purpose={purpose} error={error} isSandbox={payments === sandbox} />
					) : (
						<p>
							This service takes no payments itself.{' '}
							<AskForCredits account={account} contact={settings.contact} />. They then appear in
							the ledger below.
						</p>
					)}
				</section>
			</div>
			<Prices rates={rates} />
			<section>
				<h2>Ledger</h2>
				{entries.length === 0 ? (
					<EmptyState icon="coins" title="No transactions yet">
						<p>Top-ups, grants and leases appear here. Entries never change.</p>
					</EmptyState>
				) : (
					<Ledger entries={entries} own={true} />
				)}
			</section>
			<SameRequest
				summary="What the paid tier unlocks, as a request"
				examples={createKeyRequest(settings.baseUrl)}
				note="On the free tier the response is 402 with the address of this page."
			/>
		</>
	);
	return { title: 'Credits', main };
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

interface TopUpFormProps {
	purpose: Purpose;
	error: ApiError | undefined;
	/** Whether the top-up takes no money. */
	isSandbox: boolean;
}

function TopUpForm({ purpose, error, isSandbox }: TopUpFormProps) {
	const forKey = purpose.for === 'key';
	const { label } = purpose;
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
			{isSandbox && <p class="muted small">This is a demonstration: no money is taken.</p>}
		</form>
	);
}
