// The start page: what the service is, how it looks, and how to begin.
import { assetPath } from './assets.ts';
import { boardsRequest } from './boards/requests.ts';
import { Request } from './elements/code.tsx';
import { ButtonLink } from './elements/form.tsx';
import { Operator } from './elements/text.tsx';
import type { Pages, Visit } from './pages.tsx';

export function landingPage({ anyone }: Pages) {
	anyone.get('/', (visit) => ({ title: 'Board Access', main: landing(visit) }));
}

function landing(visit: Visit) {
	const { baseUrl } = visit.services.settings;
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
			<section class="card">
				<h2>From a terminal, a pipeline or your code</h2>
				<Request examples={boardsRequest(baseUrl, { status: 'available' })} />
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
