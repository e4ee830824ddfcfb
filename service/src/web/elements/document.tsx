// The HTML document around every page, with the bar at the top, and the headers it is sent with.
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { Account } from '../../accounts/store.ts';
import { assetPath } from '../assets.ts';
import { ButtonLink } from './form.tsx';
import { Icon, Name } from './text.tsx';

const scripts = ['confirm', 'copy', 'forms', 'live-results', 'local-time', 'one-time'];

interface DocumentProps {
	title: string;
	path: string;
	account?: Account | undefined;
	notice?: string | undefined;
	/** Whether it is unknown who is logged in: then the bar shows only the links of members. */
	accountUnknown?: boolean | undefined;
	canSignUp: boolean;
	head?: Child;
	children: Child;
}

export function Document(props: DocumentProps) {
	return html`<!doctype html>${<Page {...props} />}`;
}

/** Nothing from elsewhere, nothing inline; scripts may send requests to `apiOrigin`. */
export function pageHeaders(apiOrigin = '') {
	return {
		'content-security-policy': [
			"default-src 'none'",
			"script-src 'self'",
			"style-src 'self'",
			"img-src 'self' data:",
			`connect-src 'self' ${apiOrigin}`.trim(),
			"form-action 'self'",
			"frame-ancestors 'none'",
			"base-uri 'none'",
		].join('; '),
		'cross-origin-opener-policy': 'same-origin',
		'referrer-policy': 'same-origin',
	};
}

function Page(props: DocumentProps) {
	const { title, notice, head, children } = props;
	return (
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="color-scheme" content="light dark" />
				<title>{title === 'Board Access' ? title : `${title} · Board Access`}</title>
				<link rel="icon" href={assetPath('icon.svg')} type="image/svg+xml" />
				<link rel="stylesheet" href={assetPath('app.css')} />
				{scripts.map((name) => (
					<script type="module" src={assetPath(`${name}.js`)} />
				))}
				{head}
			</head>
			<body>
				<a class="skip" href="#main">
					Skip to content
				</a>
				<Bar {...props} />
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

const memberLinks = [
	['/boards', 'Boards'],
	['/leases', 'Leases'],
	['/keys', 'API keys'],
	['/credits', 'Credits'],
] as const;

const adminLinks = [
	['/admin/leases', 'All leases'],
	['/admin/boards', 'Inventory'],
	['/admin/base-images', 'Base images'],
	['/admin/agents', 'Agents'],
	['/admin/accounts', 'Accounts'],
	['/admin/activity', 'Activity'],
] as const;

function Bar({ path, account, accountUnknown = false, canSignUp }: DocumentProps) {
	return (
		<header class="bar">
			<a class="brand" href={account ? '/boards' : '/'}>
				<Icon name="board" />
				Board Access
			</a>
			{account || accountUnknown ? (
				<nav class="places" aria-label="Main">
					<Links links={memberLinks} path={path} />
					{account?.role === 'admin' && (
						<div class="places-admin">
							<span>Admin</span>
							<Links links={adminLinks} path={path} />
						</div>
					)}
				</nav>
			) : (
				<nav class="guest-links" aria-label="Account">
					<Links links={[['/login', 'Log in']]} path={path} />
					{canSignUp && <ButtonLink href="/signup" text="Sign up" look="primary" />}
				</nav>
			)}
			{account && <AccountMenu account={account} />}
		</header>
	);
}

type Links = readonly (readonly [href: string, label: string])[];

function Links({ links, path }: { links: Links; path: string }) {
	return links.map(([href, label]) => (
		<a href={href} aria-current={path === href || path.startsWith(`${href}/`) ? 'page' : undefined}>
			{label}
		</a>
	));
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
