// The bar at the top: where one can go, and who one is.
import type { Account } from '../../accounts/store.ts';
import { Icon } from './icon.tsx';

const places = [
	['/boards', 'Boards'],
	['/keys', 'API keys'],
	['/credits', 'Credits'],
] as const;

const adminPlaces = [
	['/admin/base-images', 'Base images'],
	['/admin/boards', 'Inventory'],
	['/admin/accounts', 'Accounts'],
] as const;

interface NavigationProps {
	path: string;
	account?: Account | undefined;
	/** Leaves out who one is. */
	quiet?: boolean | undefined;
}

export function Navigation({ path, account, quiet }: NavigationProps) {
	return (
		<header class="bar">
			<a class="brand" href="/">
				<Icon name="board" />
				Board Access
			</a>
			{account && <MemberLinks path={path} account={account} />}
			{!account && !quiet && <StrangerLinks path={path} />}
		</header>
	);
}

function MemberLinks({ path, account }: { path: string; account: Account }) {
	return (
		<>
			<nav class="places" aria-label="Main">
				{places.map(([href, label]) => (
					<Place href={href} label={label} path={path} />
				))}
				{account.role === 'admin' && (
					<div class="places-admin">
						<span>Admin</span>
						{adminPlaces.map(([href, label]) => (
							<Place href={href} label={label} path={path} />
						))}
					</div>
				)}
			</nav>
			<details class="menu">
				<summary>
					<span class="menu-name">{account.email}</span>
					<Icon name="down" />
				</summary>
				<div class="menu-body">
					<p class="muted small">{account.email}</p>
					<a href="/account">Account and password</a>
					<form method="post" action="/logout">
						<button type="submit">Log out</button>
					</form>
				</div>
			</details>
		</>
	);
}

function StrangerLinks({ path }: { path: string }) {
	return (
		<nav class="entrance" aria-label="Account">
			<Place href="/login" label="Log in" path={path} />
			<a class="button primary" href="/signup">
				Sign up
			</a>
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
