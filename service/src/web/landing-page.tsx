// The start page: what the service is, how it looks, and how to begin.
import type { Child } from 'hono/jsx';
import type { Settings } from '../env.ts';
import { assetPath } from './assets.ts';
import { boardsRequest } from './boards/requests.ts';
import { CodeBlock } from './elements/code.tsx';
import { ButtonLink } from './elements/form.tsx';
import { Icon, type IconName } from './elements/icon.tsx';
import { Operator } from './elements/text.tsx';
import type { Pages } from './pages.tsx';

export function landingPage({ anyone }: Pages) {
	anyone.get('/', ({ account, parts }) => ({
		title: 'Board Access',
		main: <Landing {...parts.settings} member={account !== undefined} />,
	}));
}

interface LandingProps extends Pick<Settings, 'baseUrl' | 'signup' | 'contact'> {
	member: boolean;
}

function Landing(props: LandingProps) {
	const { baseUrl, signup } = props;
	const canSignUp = signup === 'open';
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
					<EntryLinks {...props} />
				</div>
				<ProductPicture />
			</section>
			<div class="offers">
				<Offer icon="board" title="Use a board">
					See which boards are free, lease one, and get it in a known state every time.
				</Offer>
				<Offer icon="terminal" title="Test in CI">
					Flash a build, wait for a line on the console, and pass or fail the pipeline by it.
				</Offer>
				<Offer icon="coins" title="Start for free">
					{canSignUp ? 'Signing up, seeing' : 'Seeing'} every board and using the free boards cost
					nothing. API keys and paid boards need credits.
				</Offer>
			</div>
			<section class="ways card" aria-labelledby="ways">
				<h2 id="ways">Three ways to use it</h2>
				<Way icon="browser" title="This website" text="Boards, leases, API keys and credits.">
					<p>
						{canSignUp ? 'Sign up' : 'Log in'} with an email address and a password. There is
						nothing to install.
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

function EntryLinks({ member, signup, contact }: LandingProps) {
	const isOpen = signup === 'open';
	return (
		<>
			{!member && !isOpen && (
				<p>
					{signup === 'invite' ? 'Accounts are by invitation' : 'Nobody can sign up here'}. Ask{' '}
					<Operator contact={contact} /> for an account.
				</p>
			)}
			<p class="actions">
				{member && <ButtonLink href="/boards" text="Go to the boards" look="primary" />}
				{!member && isOpen && <ButtonLink href="/signup" text="Create an account" look="primary" />}
				{!member && (
					<ButtonLink href="/login" text="Log in" look={isOpen ? undefined : 'primary'} />
				)}
			</p>
		</>
	);
}

function ProductPicture() {
	return (
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
	);
}

function Offer({ icon, title, children }: { icon: IconName; title: string; children: Child }) {
	return (
		<section class="card">
			<h2>
				<Icon name={icon} />
				{title}
			</h2>
			<p>{children}</p>
		</section>
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
