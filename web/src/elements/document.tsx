// The HTML document around every page, with the bar at the top, and the headers it is sent with.
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import { assetPath } from '../assets.ts';
import { Bar, type BarProps } from './bar.tsx';
import { Icon, PageHead } from './text.tsx';

export interface PageFrame {
	title: string;
	/** The sentence below the title. A page without one has a heading of its own. */
	lead?: Child;
	/** What one can do, beside the title. */
	actions?: Child;
	/** Further elements of the head. */
	head?: Child;
	/** Whether the page fills the window; its content then comes before the bar. */
	workbench?: boolean;
	/** Whether it is shown in a frame of another page of the service. */
	framed?: boolean;
}

interface DocumentProps extends BarProps, PageFrame {
	notice?: Child;
	children: Child;
}

export function Document(props: DocumentProps) {
	return html`<!doctype html>${<Page {...props} />}`;
}

/** Allows nothing from other sites and nothing inline. Scripts may send requests to `apiOrigin`. */
export function pageHeaders(apiOrigin = '', framed = false) {
	return {
		'content-security-policy': [
			"default-src 'none'",
			"script-src 'self'",
			"style-src 'self'",
			"img-src 'self' data:",
			`connect-src 'self' ${apiOrigin}`.trim(),
			"frame-src 'self'",
			"form-action 'self'",
			`frame-ancestors ${framed ? "'self'" : "'none'"}`,
			"base-uri 'none'",
		].join('; '),
		'cross-origin-opener-policy': 'same-origin',
		'referrer-policy': 'same-origin',
	};
}

function Page(props: DocumentProps) {
	const { title, lead, actions, notice, head, workbench, framed, children } = props;
	return (
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="color-scheme" content="light dark" />
				<title>{title === 'Board Access' ? title : `${title} · Board Access`}</title>
				<link rel="icon" href={assetPath('icon.svg')} type="image/svg+xml" />
				<link rel="stylesheet" href={assetPath('app.css')} />
				<script type="module" src={assetPath('common.js')} />
				{framed && <base target="_top" />}
				{head}
			</head>
			<body>
				<a class="skip unseen" href={workbench ? '#actions' : '#main'}>
					{workbench ? 'Skip to the actions' : 'Skip to content'}
				</a>
				{!workbench && !framed && <Bar {...props} />}
				<main id="main">
					<output class="connection" data-connection hidden />
					{notice && (
						<output class="notice row">
							<Icon name="check" />
							<span>{notice}</span>
						</output>
					)}
					{lead && <PageHead {...{ title, lead, actions }} />}
					{children}
				</main>
				{!framed && (workbench ? <Bar {...props} /> : <Footer />)}
			</body>
		</html>
	);
}

function Footer() {
	return (
		<footer class="footer muted small">
			<p>Board Access Service</p>
			<p>
				<a href="/docs">API reference</a>
			</p>
		</footer>
	);
}
