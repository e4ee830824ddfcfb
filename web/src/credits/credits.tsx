// The credits of an account: balance, prices, ledger, top-up.
import {
	ApiError,
	invalid,
	isPaidTier,
	listBoardRates,
	listCredits,
	readBoardsRevision,
	sandbox,
	topUp,
} from 'board-access-core';
import { createRevisionCache } from 'board-access-http/revision-cache';
import { HeldCredits } from '../elements/bar.tsx';
import { SameRequest } from '../elements/code.tsx';
import { Button, FormAlert, HiddenFields } from '../elements/form.tsx';
import { EmptyState } from '../elements/list.tsx';
import { ask } from '../elements/question.tsx';
import { AskForCredits, Credits, Icon, Name, PageHead, TierBadge } from '../elements/text.tsx';
import { filledValues } from '../form.ts';
import { createKeyRequest } from '../keys/new-key.tsx';
import { goTo, type MemberVisit, onSubmit, type Pages, type Services } from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { ledger } from './ledger.tsx';
import { type BoardRate, prices } from './prices.tsx';

export function creditPages({ members }: Pages, { database, limits }: Services) {
	const { query, reader } = database;
	const kept = createRevisionCache<BoardRate[]>(() => 0, 0);
	const show = async (visit: MemberVisit) => {
		const revision = await readBoardsRevision(query);
		const read = () => kept.get('', revision, () => listBoardRates(reader));
		return showCredits(visit, await limits.costlyRead(visit.account.id, read));
	};
	members.get('/credits', show);
	members.get('/credits/top-up', onSubmit({ fields, change: askToTopUp, again: show }));
	members.post(
		'/credits/top-up',
		onSubmit({ fields, change: confirmTopUp, again: show, sentences }),
	);
}

const sentences = {
	credits: (message: string) => message,
	amount: 'This form has already booked another amount. Choose the amount again.',
};

/** The purpose of a top-up is a new key with a label, or nothing. */
const fields = ['credits', 'account', 'token', 'for', 'label'] as const;

type Sent = Record<(typeof fields)[number], string>;

function requirePayments({ payments }: Services) {
	if (payments) return payments;
	throw new ApiError('not_found', 'This service takes no payments.');
}

function checkAmount(text: string) {
	if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
	throw invalid([{ path: 'credits', message: 'Choose one of the amounts below.' }]);
}

async function askToTopUp(visit: MemberVisit, sent: Sent) {
	const payments = requirePayments(visit.services);
	const { id, email, balance } = visit.account;
	const credits = checkAmount(sent.credits);
	const forKey = sent.for === 'key' ? { for: 'key', label: sent.label } : {};
	return ask(visit, {
		title: 'Top up these credits?',
		lead:
			payments === sandbox
				? 'This is a demonstration: no money is taken.'
				: 'The payment is made when you confirm. A form that is sent twice pays once.',
		facts: [
			['Account', <Name>{email}</Name>],
			['Top-up', <Credits amount={credits} />],
			['Balance now', <Credits amount={balance} />],
			['Balance afterwards', <Credits amount={balance + credits} />],
		],
		cancel: withQuery('/credits', forKey),
		submit: 'Top up',
		values: { credits: String(credits), account: id, ...forKey },
		destructive: false,
	});
}

async function confirmTopUp({ c, account, services }: MemberVisit, sent: Sent) {
	const provider = requirePayments(services);
	const credits = checkAmount(sent.credits);
	if (sent.account !== account.id || !/^[\w-]{1,100}$/.test(sent.token)) {
		// Somebody else has logged in since, or the form is not one of ours.
		const message = `Nothing was booked. You are logged in as ${account.email}: choose the amount again.`;
		throw invalid([{ path: 'credits', message }]);
	}
	// The token identifies the form, so that sending it twice books once.
	const idempotencyKey = `${account.id} ${sent.token}`;
	await topUp(services.database, provider, { accountId: account.id, credits, idempotencyKey });
	const after = sent.for === 'key' ? withQuery('/keys/new', { label: sent.label }) : '/credits';
	return goTo(c, after, 'topped-up');
}

async function showCredits({ c, account, services }: MemberVisit, rates: BoardRate[]) {
	const { database, payments, settings } = services;
	const paid = await isPaidTier(database.query, account.id);
	const entries = await listCredits(database.query, account.id);
	const main = (
		<>
			<PageHead title="Credits" lead="Your first credits put your account on the paid tier." />
			<div class="columns">
				<section class="card balance">
					<h2>Balance</h2>
					<p class="figure">
						<Credits amount={account.balance} />
					</p>
					<HeldCredits account={account} />
					<TierBadge paid={paid} />
					{tiers(paid)}
				</section>
				<section class="card">
					<h2>Top up</h2>
					{payments ? (
						topUpForm({ ...c.req.query(), ...filledValues(c) }, payments === sandbox)
					) : (
						<p>
							This service takes no payments itself.{' '}
							<AskForCredits account={account} contact={settings.contact} />. They then appear in
							the ledger below.
						</p>
					)}
				</section>
			</div>
			{prices(rates)}
			<section>
				<h2>Ledger</h2>
				{entries.length === 0 ? (
					<EmptyState icon="coins" title="No transactions yet">
						<p>Top-ups, grants and leases appear here. Entries never change.</p>
					</EmptyState>
				) : (
					ledger(entries, true)
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

function tiers(paid: boolean) {
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

function topUpForm({ for: purpose, label }: Partial<Sent>, isSandbox: boolean) {
	const forKey = purpose === 'key';
	return (
		<form method="get" action="/credits/top-up">
			<FormAlert />
			{forKey && (
				<p class="callout">
					After the top-up you continue with your new key
					{label && [' “', <Name>{label}</Name>, '”']}.
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
