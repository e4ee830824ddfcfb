// The HTML document around every page, with the bar at the top.
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { Account } from '../../accounts/store.ts';
import { assetPath } from '../assets.ts';
import { Icon } from './icon.tsx';
import { Name } from './text.tsx';

const scripts = [
	'confirm.js',
	'copy.js',
	'forms.js',
	'live-results.js',
	'local-time.js',
	'one-time.js',
] as const;

interface DocumentProps {
	title: string;
	path: string;
	account?: Account | undefined;
	notice?: string | undefined;
	/** Whether it is unknown who is logged in: then the bar shows the places alone. */
	accountUnknown?: boolean | undefined;
	/** Whether everyone can sign up. */
	canSignUp: boolean;
	/** Scripts that only this page needs. */
	scripts?: readonly string[] | undefined;
	/** Stylesheets that only this page needs. */
	styles?: readonly string[] | undefined;
	/** Reloads the page after this number of seconds if JavaScript is off. */
	reloadSeconds?: number | undefined;
	children: Child;
}

export function Document(props: DocumentProps) {
	return html`<!doctype html>${<Page {...props} />}`;
}

function Page(props: DocumentProps) {
	const { notice, children } = props;
	return (
		<html lang="en">
			<Head {...props} />
			<body>
				<a class="skip" href="#main">
					Skip to content
				</a>
				<Navigation {...props} />
				<main id="main">
					<output class="connection" data-connection hidden />
					{notice && (
						<output class="notice">
							<Icon name="check" />
							{notice}
						</output>
					)}
					{children}
				</main>
				<footer class="footer">
					<p>Board Access Service</p>
					<p>
						<a href="/docs">API reference</a>
					</p>
				</footer>
			</body>
		</html>
	);
}

function Head({ title, styles = [], reloadSeconds, ...props }: DocumentProps) {
	return (
		<head>
			<meta charset="utf-8" />
			<meta name="viewport" content="width=device-width, initial-scale=1" />
			<meta name="color-scheme" content="light dark" />
			<title>{title === 'Board Access' ? title : `${title} · Board Access`}</title>
			<link rel="icon" href={assetPath('icon.svg')} type="image/svg+xml" />
			<link rel="stylesheet" href={assetPath('app.css')} />
			{styles.map((name) => (
				<link rel="stylesheet" href={assetPath(name)} />
			))}
			{[...scripts, ...(props.scripts ?? [])].map((name) => (
				<script type="module" src={assetPath(name)} />
			))}
			{reloadSeconds && (
				<noscript>
					<meta http-equiv="refresh" content={String(reloadSeconds)} />
				</noscript>
			)}
		</head>
	);
}

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

function Navigation(props: DocumentProps) {
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

function GuestLinks({ path, canSignUp }: Pick<DocumentProps, 'path' | 'canSignUp'>) {
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
