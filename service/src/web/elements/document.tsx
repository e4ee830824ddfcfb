// The HTML document around every page.
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { Account } from '../../accounts/store.ts';
import { assetPath } from '../assets.ts';
import { Icon } from './icon.tsx';
import { Navigation } from './navigation.tsx';

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
	/** Whether it is unknown who is logged in. */
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
	const { path, account, notice, accountUnknown, canSignUp, children } = props;
	return (
		<html lang="en">
			<Head {...props} />
			<body>
				<a class="skip" href="#main">
					Skip to content
				</a>
				<Navigation
					path={path}
					account={account}
					accountUnknown={accountUnknown}
					canSignUp={canSignUp}
				/>
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
