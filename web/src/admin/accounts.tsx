// Accounts for administrators: search, credits, roles.
import {
	type AccountRecord,
	ApiError,
	accountWithCredits,
	changeEmail,
	grantCredits,
	invalid,
	listCredits,
	readAmount,
	requireConfirmation,
	searchAccounts,
} from 'board-access-core';
import { ledger } from '../credits/ledger.tsx';
import { Back, ButtonLink, CardForm, Field, PostForm } from '../elements/form.tsx';
import { ask } from '../elements/question.tsx';
import { readList, SearchedList } from '../elements/search.tsx';
import {
	Credits,
	Facts,
	Icon,
	Name,
	PageHead,
	StrongName,
	TierBadge,
	Time,
} from '../elements/text.tsx';
import { goTo, type MemberVisit, onSubmit, type Pages } from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { type AccountChange, accountChanges, changesOf } from './account-changes.ts';

const path = '/admin/accounts';

export function accountAdminPages({ admins }: Pages) {
	admins.get(path, listAccounts);
	admins.get(`${path}/:id`, showAccount);
	admins.post(`${path}/:id/credits`, grant);
	admins.get(`${path}/:id/email`, showEmailForm);
	admins.post(`${path}/:id/email`, setEmail);
	admins.get(`${path}/:id/:change`, askToChange);
	admins.post(`${path}/:id/:change`, change);
}

async function listAccounts({ c, services }: MemberVisit) {
	const list = readList(c);
	const found = await searchAccounts(services.database.query, list.text, list.page);
	const main = (
		<SearchedList
			list={list}
			noun="account"
			placeholder="Email address…"
			caption="Accounts"
			rows={found.data}
			next={found.next_cursor}
			columns={[
				{ label: 'Account', cell: NameCell, class: 'main-cell' },
				{ label: 'Tier and role', cell: AccountBadges, class: 'bare' },
				{ label: 'Credits', cell: ({ credits }) => <Credits amount={credits} /> },
				{ label: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
			]}
		/>
	);
	const lead = 'Everyone who can use this service, with tier and role.';
	return { title: 'Accounts', lead, main };
}

function NameCell({ id, email }: AccountRecord) {
	return (
		<a href={`${path}/${id}`}>
			<StrongName text={email} />
		</a>
	);
}

function AccountBadges({ role, paid, disabled_at, two_factor_at, verified_at }: AccountRecord) {
	return (
		<span class="actions">
			<TierBadge paid={Boolean(paid)} />
			{role === 'admin' && <span class="badge role-admin">Administrator</span>}
			{!verified_at && <span class="badge">Not verified</span>}
			{two_factor_at && <span class="badge">Two-factor</span>}
			{disabled_at && <span class="badge status-offline">Disabled</span>}
		</span>
	);
}

async function findAccount({ c, services }: MemberVisit) {
	const account = await accountWithCredits(services.database.query, c.req.param('id') ?? '');
	if (!account) throw new ApiError('not_found', 'There is no such account.');
	return account;
}

async function showAccount(visit: MemberVisit) {
	const account = await findAccount(visit);
	const { id, email } = account;
	const entries = await listCredits(visit.services.database.query, id);
	const main = (
		<>
			<Back href={path} text="Accounts" />
			<PageHead title={<Name>{email}</Name>} lead={<AccountBadges {...account} />} />
			<div class="columns">
				<section class="card">
					<h2>Details</h2>
					<Facts
						facts={[
							['Balance', <Credits amount={account.credits} />],
							['Created', <Time at={account.created_at} />],
							['Identifier', <code>{id}</code>],
						]}
					/>
					<p>
						<a href={withQuery('/admin/activity', { account: email })}>Activity of this account</a>
					</p>
					<p>
						<a href={`${path}/${id}/email`}>Change the email address</a>
					</p>
					{id === visit.account.id ? ownAccount : changeLinks(account)}
				</section>
				<section class="card">
					<h2>Grant credits</h2>
					<p class="muted">The first grant puts the account on the paid tier.</p>
					<PostForm action={`${path}/${id}/credits`} submit="Grant">
						<Field name="amount" label="Amount" input={{ inputmode: 'numeric', maxlength: 9 }} />
						{!account.verified_at && (
							<>
								{unverifiedWarning}
								<label class="row">
									<input id="sure" name="sure" type="checkbox" required /> The account belongs to
									the person I mean
								</label>
							</>
						)}
					</PostForm>
				</section>
			</div>
			{entries.length > 0 && (
				<section>
					<h2>Ledger</h2>
					{ledger(entries, false)}
				</section>
			)}
		</>
	);
	return { title: email, main };
}

const ownAccount = (
	<p class="muted small" id="change">
		This is your own account. Only another administrator can change its role or disable it. You can
		delete it on <a href="/account">your account page</a>.
	</p>
);

function changeLinks(account: AccountRecord) {
	return (
		<p class="actions">
			{changesOf(account).map((name) => {
				const { submit, destructive }: AccountChange = accountChanges[name];
				const look = destructive ? 'danger' : undefined;
				return <ButtonLink href={`${path}/${account.id}/${name}`} text={submit} look={look} />;
			})}
		</p>
	);
}

const unverifiedWarning = (
	<p class="callout important">
		<Icon name="alert" />
		<span>
			<strong>This address was never verified.</strong> Anyone can sign up with an address that is
			not theirs: make sure that the account belongs to the person you mean.
		</span>
	</p>
);

const grant = onSubmit({
	fields: ['amount', 'token', 'sure'],
	change: async (visit: MemberVisit, { amount, token, sure }) => {
		const { id, verified_at } = await findAccount(visit);
		if (!verified_at && !sure) throw invalid([{ path: 'sure', message: 'is required' }]);
		// The token of the form names the entry, so that sending it twice books it once.
		const entry = { account_id: id, amount: readAmount(amount), name: token || undefined };
		await grantCredits(visit.services, entry);
		return goTo(visit.c, `${path}/${id}`, 'credits-granted');
	},
	again: showAccount,
	sentences: {
		sure: 'This address was never verified. Confirm that the account belongs to the person.',
		amount: (message) =>
			message.includes('already')
				? 'This form has already granted another amount. Submit it again to grant more.'
				: 'Enter a whole number of credits, at least 1.',
	},
});

async function showEmailForm(visit: MemberVisit) {
	const { id, email, verified_at } = await findAccount(visit);
	const logsIn = 'The account logs in with it from now on.';
	const isTold = visit.services.mail && verified_at;
	const help = isTold ? `${logsIn} The former address gets a message.` : logsIn;
	const title = 'Change the email address';
	const input = { type: 'email', autocomplete: 'off', maxlength: 254 };
	const main = (
		<CardForm
			title={title}
			lead={['It is ', <Name>{email}</Name>, '.']}
			action={`${path}/${id}/email`}
			submit="Change address"
			cancel={`${path}/${id}`}
		>
			<Field name="email" label="New email address" help={help} input={input} />
		</CardForm>
	);
	return { title, main };
}

const setEmail = onSubmit({
	fields: ['email', 'confirmation'],
	change: async (visit: MemberVisit, { email, confirmation }) => {
		// The password or code itself is checked before every form of an administrator.
		requireConfirmation({ confirmed: confirmation !== '' });
		const account = await findAccount(visit);
		const change = { next: email.trim(), byAdministrator: account.id !== visit.account.id };
		await changeEmail(visit.services, account, change);
		return goTo(visit.c, `${path}/${account.id}`, 'account-changed');
	},
	again: showEmailForm,
	sentences: {
		email: (message) =>
			message.includes('already')
				? 'An account with this email address already exists.'
				: 'Email address is not valid.',
	},
});

function readChange({ c }: MemberVisit) {
	const wanted = c.req.param('change');
	const found = Object.entries<AccountChange>(accountChanges).find(([name]) => name === wanted);
	if (!found) throw new ApiError('not_found', 'This action does not exist.');
	return { name: found[0], ...found[1] };
}

async function askToChange(visit: MemberVisit) {
	const { name, destructive = false, ...question } = readChange(visit);
	const account = await findAccount(visit);
	return ask(visit, {
		...question,
		destructive,
		children: ['promote', 'verify'].includes(name) && !account.verified_at && unverifiedWarning,
		facts: [
			['Account', <StrongName text={account.email} />],
			['Balance', <Credits amount={account.credits} />],
		],
		cancel: `${path}/${account.id}`,
	});
}

const change = onSubmit({
	fields: ['confirmation'],
	change: async (visit: MemberVisit, { confirmation }) => {
		const { name, apply, asksAlways } = readChange(visit);
		// The password or code itself is checked before every form of an administrator.
		requireConfirmation({ confirmed: !asksAlways || confirmation !== '' });
		const { id } = await findAccount(visit);
		if (id === visit.account.id) {
			throw invalid([{ path: 'change', message: 'You cannot change your own account.' }]);
		}
		await apply(visit.services, id);
		if (name === 'delete') return goTo(visit.c, path, 'account-deleted');
		return goTo(visit.c, `${path}/${id}`, 'account-changed');
	},
	again: showAccount,
});
