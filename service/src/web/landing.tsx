// What strangers see first: what this is, and the three ways in.
import type { Child } from 'hono/jsx';
import type { ServiceApp } from '../http/environment.ts';
import type { Parts } from '../parts.ts';
import { boardsCall } from './boards/calls.ts';
import { CodeBlock } from './elements/code-block.tsx';
import { Icon, type IconName } from './elements/icon.tsx';
import { goTo, type Pages } from './page.tsx';

export function landingPage(
	app: ServiceApp,
	{ settings }: Pick<Parts, 'settings'>,
	{ forAnyone }: Pages,
) {
	app.get(
		'/',
		forAnyone(({ c, account }) =>
			account
				? goTo(c, '/boards')
				: { title: 'Board Access', main: <Landing baseUrl={settings.baseUrl} /> },
		),
	);
}

function Landing({ baseUrl }: { baseUrl: string }) {
	const { curl, cli, typescript } = boardsCall(baseUrl, { status: 'available' });
	return (
		<>
			<section class="hero">
				<div>
					<h1>Real boards, from wherever you work</h1>
					<p class="lead">
						See which hardware is free from your browser, your terminal or your pipeline. One
						account, one API key, the same answer everywhere.
					</p>
					<p class="actions">
						<a class="button primary" href="/signup">
							Create an account
						</a>
						<a class="button" href="/login">
							Log in
						</a>
					</p>
				</div>
				<Fleet />
			</section>
			<section class="ways card" aria-labelledby="ways">
				<h2 id="ways">Three ways in</h2>
				<Way icon="browser" title="This web UI" text="Boards at a glance, API keys, credits.">
					<p>
						Sign up with an email address and a password; nothing to install. The free tier shows
						you every board.
					</p>
				</Way>
				<Way
					icon="terminal"
					title="Command line and HTTP"
					text="A key in the environment is all the setup there is."
				>
					<CodeBlock id="way-cli" what="the command" text={cli} />
					<CodeBlock id="way-curl" what="the curl call" text={curl} />
				</Way>
				<Way
					icon="code"
					title="Your code and CI"
					text="A typed client for scripts, tests and pipelines."
				>
					<CodeBlock id="way-code" what="the program" text={typescript} />
				</Way>
			</section>
		</>
	);
}

interface WayProps {
	icon: IconName;
	title: string;
	text: string;
	children: Child;
}

function Way({ icon, title, text, children }: WayProps) {
	return (
		<section class="way">
			<div>
				<h3>
					<Icon name={icon} />
					{title}
				</h3>
				<p class="muted">{text}</p>
			</div>
			<div class="way-body">{children}</div>
		</section>
	);
}

const statuses = 'aaiaaaimaaiaoaaaiaamaaia'.split('');

/** A rack of boards as a picture. It shows no real state and says nothing to a screen reader. */
function Fleet() {
	return (
		<svg class="fleet" viewBox="0 0 240 160" width="240" height="160" aria-hidden="true">
			{statuses.map((status, index) => {
				const [x, y] = [(index % 6) * 40 + 4, Math.floor(index / 6) * 40 + 4];
				return (
					<g class={`fleet-${status}`}>
						<rect x={x} y={y} width="32" height="32" rx="6" />
						<rect class="chip" x={x + 10} y={y + 10} width="12" height="12" rx="2" />
						<circle cx={x + 26} cy={y + 6} r="2.5" />
					</g>
				);
			})}
		</svg>
	);
}
