// The credits of an account: balance, prices, ledger, top-up.
import { ApiError, invalid, isPaidTier, listCredits, sandbox, topUp } from 'board-access-core';
import { HeldCredits } from '../elements/bar.tsx';
import { Button, FormAlert, Radios } from '../elements/form.tsx';
import { EmptyState } from '../elements/list.tsx';
import { ask } from '../elements/question.tsx';
import { AskForCredits, Credits, Name, TierBadge } from '../elements/text.tsx';
import { goTo, type MemberVisit, onSubmit, type Pages, type Services } from '../pages.tsx';
import { ledger } from './ledger.tsx';

export function creditPages({ members }: Pages) {
	const form = { fields, sentences, again: showCredits };
	members.get('/credits', showCredits);
	members.get('/credits/top-up', onSubmit({ ...form, change: askToTopUp }));
	members.post('/credits/top-up', onSubmit({ ...form, change: confirmTopUp }));
}

const sentences = {
	credits: (message: string) => message,
	amount: 'This form has already booked another amount. Choose the amount again.',
};

const fields = ['credits', 'account', 'token'] as const;

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
		cancel: '/credits',
		submit: 'Top up',
		values: { credits: String(credits), account: id },
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
	return goTo(c, '/credits', 'topped-up');
}

async function showCredits({ account, services }: MemberVisit) {
	const { database, payments, settings } = services;
	const paid = await isPaidTier(database.query, account.id);
	const entries = await listCredits(database.query, account.id);
	const main = (
		<>
			<div class="columns">
				<section class="card balance">
					<h2>Balance</h2>
					<p class="figure">
						<Credits amount={account.balance} />
					</p>
					<HeldCredits account={account} />
					<TierBadge paid={paid} />
					<p>
						{paid ? (
							<>
								You can <a href="/keys/new">create API keys</a>, and use boards that cost credits.
							</>
						) : (
							'You can use the free boards. The paid tier can also create API keys.'
						)}
					</p>
				</section>
				<section class="card">
					<h2>Top up</h2>
					{payments ? (
						topUpForm(payments === sandbox)
					) : (
						<p>
							This service takes no payments itself.{' '}
							<AskForCredits account={account} contact={settings.contact} />. They then appear in
							the ledger below.
						</p>
					)}
				</section>
			</div>
			<section>
				<h2>What credits buy</h2>
				<p>
					Credits buy minutes on <a href="/boards?sort=price">boards</a>, each of which has its own
					rate. A lease costs that rate for each started minute in which you have the board.
					Waiting, preparing, flashing, the console and resets cost nothing more, however often you
					use them. Credits are held when a lease begins and booked when it ends.
				</p>
			</section>
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
		</>
	);
	return { title: 'Credits', lead: 'Your first credits put your account on the paid tier.', main };
}

const amounts = ['25', '100', '500'].map((value) => ({ value, label: `${value} credits` }));

function topUpForm(isSandbox: boolean) {
	return (
		<form method="get" action="/credits/top-up">
			<FormAlert />
			<Radios name="credits" legend="Amount" options={amounts} chosen="100" />
			<Button text="Continue" look="primary" />
			<p class="muted small">Nothing is booked before you confirm it on the next page.</p>
			{isSandbox && <p class="muted small">This is a demonstration: no money is taken.</p>}
		</form>
	);
}
