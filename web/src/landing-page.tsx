// The start page: what the service is, how it looks, and how to begin.
import type { Child } from 'hono/jsx';
import { assetPath } from './assets.ts';
import { boardsRequest } from './boards/requests.ts';
import { CodeBlock } from './elements/code.tsx';
import { ButtonLink } from './elements/form.tsx';
import { Icon, type IconName, Operator } from './elements/text.tsx';
import type { Pages, Visit } from './pages.tsx';

export function landingPage({ anyone }: Pages) {
	anyone.get('/', (visit) => ({ title: 'Board Access', main: landing(visit) }));
}

function landing(visit: Visit) {
	const { baseUrl, signup } = visit.services.settings;
	const start = signup === 'open' ? 'Sign up' : 'Log in';
	const { curl, cli, typescript } = boardsRequest(baseUrl, { status: 'available' });
	return (
		<>
			<section class="hero">
				<div>
					<h1>Real boards, from wherever you work</h1>
					<p class="lead">
						Lease a development board, flash your firmware and talk to its console: from a browser,
						a terminal or a pipeline.
					</p>
					{entryLinks(visit)}
				</div>
				<picture>
					<source srcset={assetPath('boards-dark.png')} media="(prefers-color-scheme: dark)" />
					<img
						class="product"
						src={assetPath('boards-light.png')}
						width="1280"
						height="800"
						alt="The list of boards with their status, type and tags"
					/>
				</picture>
			</section>
			<section class="ways card" aria-labelledby="ways">
				<h2 id="ways">Three ways to use it</h2>
				<Way icon="browser" title="This website" text="Boards, leases, API keys and credits.">
					<p>
						{start} with an email address and a password. There is nothing to install, and the free
						boards cost nothing.
					</p>
				</Way>
				<Way
					icon="terminal"
					title="Command line and HTTP"
					text="An API key in the environment is the only setup."
				>
					<CodeBlock id="way-cli" what="the commands" text={cli} />
					<CodeBlock id="way-curl" what="the curl request" text={curl} />
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

function entryLinks({ account, services }: Visit) {
	const { signup, contact } = services.settings;
	const member = <ButtonLink href="/boards" text="Go to the boards" look="primary" />;
	if (account) return <p class="actions">{member}</p>;
	if (signup === 'open') {
		return (
			<p class="actions">
				<ButtonLink href="/signup" text="Create an account" look="primary" />
				<ButtonLink href="/login" text="Log in" />
			</p>
		);
	}
	return (
		<>
			<p>
				{signup === 'invite' ? 'Accounts are by invitation' : 'Nobody can sign up here'}. Ask{' '}
				<Operator contact={contact} /> for an account.
			</p>
			<p class="actions">
				<ButtonLink href="/login" text="Log in" look="primary" />
			</p>
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
