// The bar at the top: the places of the site and the account menu.
import type { Account } from '../../accounts/store.ts';
import { Icon } from './icon.tsx';
import { Name } from './name.tsx';

const places = [
	['/boards', 'Boards'],
	['/leases', 'Leases'],
	['/keys', 'API keys'],
	['/credits', 'Credits'],
] as const;

const adminPlaces = [
	['/admin/leases', 'All leases'],
	['/admin/boards', 'Inventory'],
	['/admin/base-images', 'Base images'],
	['/admin/agents', 'Agents'],
	['/admin/accounts', 'Accounts'],
	['/admin/activity', 'Activity'],
] as const;

interface NavigationProps {
	path: string;
	account?: Account | undefined;
	/** Whether it is unknown who is logged in: then the bar shows the places alone. */
	accountUnknown?: boolean | undefined;
	/** Whether everyone can sign up. */
	canSignUp: boolean;
}

export function Navigation(props: NavigationProps) {
	const { path, account, accountUnknown = false, canSignUp } = props;
	const member = account !== undefined || accountUnknown;
	return (
		<header class="bar">
			<a class="brand" href={account ? '/boards' : '/'}>
				<Icon name="board" />
				Board Access
			</a>
			{member && <Places path={path} admin={account?.role === 'admin'} />}
			{account && <AccountMenu account={account} />}
			{!member && <GuestLinks path={path} canSignUp={canSignUp} />}
		</header>
	);
}

function Places({ path, admin }: { path: string; admin: boolean }) {
	return (
		<nav class="places" aria-label="Main">
			{places.map(([href, label]) => (
				<Place href={href} label={label} path={path} />
			))}
			{admin && (
				<div class="places-admin">
					<span>Admin</span>
					{adminPlaces.map(([href, label]) => (
						<Place href={href} label={label} path={path} />
					))}
				</div>
			)}
		</nav>
	);
}

function AccountMenu({ account }: { account: Account }) {
	return (
		<details class="menu">
			<summary>
				<span class="menu-name">
					<Name>{account.email}</Name>
				</span>
				<Icon name="down" />
			</summary>
			<div class="menu-body">
				<p class="muted small">
					<Name>{account.email}</Name>
				</p>
				<a href="/account">Account and password</a>
				<form method="post" action="/logout">
					<button type="submit">Log out</button>
				</form>
			</div>
		</details>
	);
}

function GuestLinks({ path, canSignUp }: Pick<NavigationProps, 'path' | 'canSignUp'>) {
	return (
		<nav class="guest-links" aria-label="Account">
			<Place href="/login" label="Log in" path={path} />
			{canSignUp && (
				<a class="button primary" href="/signup">
					Sign up
				</a>
			)}
		</nav>
	);
}

function Place({ href, label, path }: { href: string; label: string; path: string }) {
	return (
		<a href={href} aria-current={isAt(path, href) ? 'page' : undefined}>
			{label}
		</a>
	);
}

function isAt(path: string, href: string) {
	return path === href || path.startsWith(`${href}/`);
}
