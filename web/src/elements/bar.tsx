// The bar at the top of every page: where one can go, and who is logged in.
import type { Member } from 'board-access-core';
import { ButtonLink } from './form.tsx';
import { Credits, Icon, Name, Note } from './text.tsx';

type Links = readonly (readonly [href: string, label: string])[];

const memberLinks: Links = [
	['/boards', 'Boards'],
	['/leases', 'Leases'],
	['/keys', 'API keys'],
	['/credits', 'Credits'],
];

const operations: Links = [
	['/admin/overview', 'Overview'],
	['/admin/leases', 'All leases'],
	['/admin/boards', 'Inventory'],
	['/admin/base-images', 'Base images'],
	['/admin/agents', 'Agents'],
	['/admin/accounts', 'Accounts'],
	['/admin/activity', 'Activity'],
];

export interface BarProps {
	path: string;
	account?: Member | undefined;
	/** Whether the accounts cannot be read. The bar then has the links of members only. */
	accountUnknown?: boolean | undefined;
	canSignUp: boolean;
}

export function Bar({ path, account, accountUnknown = false, canSignUp }: BarProps) {
	return (
		<header>
			<div class="bar">
				<a class="brand row" href="/boards">
					<Icon name="board" />
					Board Access
				</a>
				{account || accountUnknown ? (
					<MemberBar path={path} account={account} />
				) : (
					<nav class="guest-links" aria-label="Account">
						<PathLinks links={[['/login', 'Log in']]} path={path} />
						{canSignUp && <ButtonLink href="/signup" text="Sign up" look="primary" />}
					</nav>
				)}
			</div>
			{account?.role === 'admin' && isWithin('/admin', path) && (
				<nav class="operations" aria-label="Operations">
					<PathLinks links={operations} path={path} />
				</nav>
			)}
		</header>
	);
}

function MemberBar({ path, account }: Pick<BarProps, 'path' | 'account'>) {
	return (
		<>
			<nav class="places" aria-label="Main">
				<PathLinks links={memberLinks} path={path} />
				{account?.role === 'admin' && (
					<a
						class="to-operations"
						href="/admin/overview"
						aria-current={isWithin('/admin', path) ? 'true' : undefined}
					>
						Operations
					</a>
				)}
			</nav>
			{account && (
				<div class="bar-account">
					<a href="/credits" data-live-results="balance">
						<Credits amount={account.balance} />
					</a>
					<AccountMenu account={account} />
				</div>
			)}
		</>
	);
}

function PathLinks({ links, path }: { links: Links; path: string }) {
	return links.map(([href, label]) => (
		<a href={href} aria-current={isWithin(href, path) ? 'page' : undefined}>
			{label}
		</a>
	));
}

function isWithin(href: string, path: string) {
	return path === href || path.startsWith(`${href}/`);
}

type AccountCredits = Pick<Member, 'balance' | 'held_credits'>;

/** The parts of the bar that change while a page is open. */
export function creditParts(account: AccountCredits) {
	return {
		balance: <Credits amount={account.balance} />,
		held: <HeldCredits account={account} />,
	};
}

/** How many credits leases hold, and how many are left to spend. */
export function HeldCredits({ account }: { account: AccountCredits }) {
	const { balance, held_credits: held } = account;
	if (held === 0) return null;
	return (
		<p class="muted small">
			<Credits amount={held} /> held for leases, <Credits amount={balance - held} /> available
		</p>
	);
}

function AccountMenu({ account }: { account: Member }) {
	return (
		<details class="menu">
			<summary class="row">
				<span class="menu-name">
					<Name>{account.email}</Name>
				</span>
				<Icon name="down" />
			</summary>
			<div class="menu-body">
				<Note text={account.email} />
				<div data-live-results="held">
					<HeldCredits account={account} />
				</div>
				<a href="/account">Account and password</a>
				<form method="post" action="/logout">
					<button type="submit">Log out</button>
				</form>
			</div>
		</details>
	);
}
