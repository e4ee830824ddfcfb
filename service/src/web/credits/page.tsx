// The balance, the ledger, and the form for more.
import type { CreditEntryRow } from '../../database/schema.ts';
import type { ApiError } from '../../errors.ts';
import { EmptyState } from '../elements/empty-state.tsx';
import { FormAlert } from '../elements/field.tsx';
import { Icon } from '../elements/icon.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { SameCall } from '../elements/same-call.tsx';
import { Credits, TierBadge } from '../elements/tier.tsx';
import { createKeyCall } from '../keys/calls.ts';
import { Ledger } from './ledger.tsx';

interface CreditsPageProps {
	balance: number;
	entries: CreditEntryRow[];
	paid: boolean;
	canTopUp: boolean;
	/** Whether the top-up takes no money. */
	sandbox: boolean;
	/** Set when the top-up is a step on the way to a new key. */
	forKey: boolean;
	label: string;
	fault: ApiError | undefined;
	baseUrl: string;
}

export function CreditsPage(props: CreditsPageProps) {
	return (
		<>
			<PageHead title="Credits" lead="Any credits at all put your account on the paid tier." />
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
					{props.canTopUp ? <TopUpForm {...props} /> : <AskOperator />}
				</section>
			</div>
			<section>
				<h2>Ledger</h2>
				{props.entries.length === 0 ? (
					<EmptyState icon="coins" title="Nothing on the ledger yet">
						<p>Every top-up and every grant is written here and never changed.</p>
					</EmptyState>
				) : (
					<Ledger entries={props.entries} />
				)}
			</section>
			<SameCall
				summary="What the paid tier unlocks, as a call"
				call={createKeyCall(props.baseUrl)}
				note="On the free tier this is answered with 402 and the address of this page."
			/>
		</>
	);
}

function Tiers({ paid }: { paid: boolean }) {
	return (
		<ul class="checks">
			<li>
				<Icon name="check" />
				See every board and use the keys you have
			</li>
			<li class={paid ? undefined : 'muted'}>
				<Icon name={paid ? 'check' : 'key'} />
				{paid ? 'Create API keys' : 'With the paid tier: create API keys'}
			</li>
		</ul>
	);
}

const amounts = ['25', '100', '500'] as const;

function TopUpForm({ forKey, label, fault, sandbox }: CreditsPageProps) {
	return (
		<form method="post" action="/credits/top-up">
			<FormAlert fault={fault} labels={{ credits: 'Amount' }} />
			{forKey && (
				<p class="callout">
					Your new key{label && <strong> “{label}”</strong>} waits: after the top-up you go on with
					it.
				</p>
			)}
			{forKey && <input type="hidden" name="for" value="key" />}
			{forKey && <input type="hidden" name="label" value={label} />}
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
			<button type="submit" class="button primary">
				Top up
			</button>
			{sandbox && <p class="muted small">This is a demonstration: no money is taken.</p>}
		</form>
	);
}

function AskOperator() {
	return (
		<p>
			This service takes no payments itself. Ask its operator to grant you credits; they appear on
			the ledger below as soon as that is done.
		</p>
	);
}
