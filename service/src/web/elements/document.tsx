// The frame of every page.
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { Account } from '../../accounts/store.ts';
import { assetPath } from '../assets.ts';
import { Icon } from './icon.tsx';
import { Navigation } from './navigation.tsx';

const scripts = ['copy.js', 'confirm.js', 'forms.js', 'live-filter.js', 'one-time.js'] as const;

interface DocumentProps {
	title: string;
	path: string;
	account?: Account | undefined;
	notice?: string | undefined;
	/** Where it is not known who is looking. */
	quiet?: boolean | undefined;
	children: Child;
}

export function Document(props: DocumentProps) {
	return html`<!doctype html>${<Frame {...props} />}`;
}

function Frame({ title, path, account, notice, quiet, children }: DocumentProps) {
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
					<script type="module" src={assetPath(name)} />
				))}
			</head>
			<body>
				<a class="skip" href="#main">
					Skip to content
				</a>
				<Navigation path={path} account={account} quiet={quiet} />
				<main id="main">
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
