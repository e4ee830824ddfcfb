// Two-factor authentication of the visitor: set up, managed, turned off.
import {
	countRecoveryCodes,
	replaceRecoveryCodes,
	requireConfirmation,
	requireVerified,
	setUpTwoFactor,
	turnOffTwoFactor,
	turnOnTwoFactor,
} from 'board-access-core';
import type { Child } from 'hono/jsx';
import { encodeQR } from 'qr';
import { CodeBlock } from '../elements/code.tsx';
import { Button, ButtonLink, CardForm } from '../elements/form.tsx';
import { ask, showOnce } from '../elements/question.tsx';
import { Name } from '../elements/text.tsx';
import { goTo, type MemberVisit, onSubmit, type Pages } from '../pages.tsx';
import { confirm } from './confirm.tsx';
import { CodeField, codeSentences } from './fields.tsx';

const path = '/account/two-factor';
const title = 'Two-factor authentication';

export function twoFactorPages({ members }: Pages) {
	members.get(path, show);
	members.post(path, (visit) => (visit.account.twoFactor ? goTo(visit.c, path) : enable(visit)));
	members.post(`${path}/codes`, renewCodes);
	members.get(`${path}/off`, askToDisable);
	members.post(`${path}/off`, disable);
}

async function show(visit: MemberVisit) {
	const { account, services } = visit;
	if (!account.twoFactor) {
		await requireVerified(services, account.id);
		// Anyone with the secret could lock the owner out, so it is shown only after the password was entered.
		requireConfirmation({ confirmed: false });
	}
	const left = await countRecoveryCodes(services, account.id);
	const counted =
		left > 1 ? `${left} recovery codes are` : `${left ? 'One' : 'No'} recovery code is`;
	const main = (
		<section class="card narrow">
			<h1>{title}</h1>
			<p class="lead">It is on: a log-in needs a code of your authenticator app.</p>
			<p>{counted} left. Each works once, if you do not have your app.</p>
			<form method="post" action={`${path}/codes`}>
				<Button text="Create new recovery codes" />
			</form>
			<p class="actions">
				<ButtonLink href="/account" text="Back" />
				<ButtonLink href={`${path}/off`} text="Turn off" look="danger" />
			</p>
		</section>
	);
	return { title, main };
}

async function setUp({ account, services }: MemberVisit) {
	const { url, secret } = await setUpTwoFactor(services, account);
	const image = `data:image/svg+xml,${encodeURIComponent(encodeQR(url, 'svg', { border: 2 }))}`;
	const size = { width: '200', height: '200' };
	return askForCode(
		<>
			<p class="lead">You then log in with your password and a code from an app on your phone.</p>
			<h2>Scan the code</h2>
			<p>Use an authenticator app, for example the one in your password manager.</p>
			<img class="qr-code" src={image} alt="QR code of the secret below" {...size} />
			<p class="muted">Or enter this secret in the app:</p>
			<CodeBlock id="secret" what="the secret" text={secret} />
		</>,
	);
}

function askForCode(how: Child) {
	const main = (
		<CardForm
			title="Set up two-factor authentication"
			action={path}
			submit="Turn on"
			cancel="/account"
		>
			{how}
			<h2>Enter the code that the app shows</h2>
			<CodeField
				help="Six digits. All your other sessions are logged out."
				input={{ inputmode: 'numeric', maxlength: 7 }}
			/>
		</CardForm>
	);
	return { title, main };
}

const scanAgain = (
	<p class="lead">
		Your app keeps what you scanned. To see it again, <a href={path}>start over</a>.
	</p>
);

const enable = onSubmit({
	fields: ['code'],
	change: async (visit: MemberVisit, { code }) => {
		// The form with the password is sent here, too. A correct code proves that it was entered before.
		await confirm(visit, { always: !code });
		if (!code) return setUp(visit);
		const { c, account, services, visitor } = visit;
		const { codes, tokens } = await turnOnTwoFactor(services, visitor, account, code);
		services.cookies.send(c, tokens);
		return recoveryCodes(codes);
	},
	again: () => askForCode(scanAgain),
	sentences: codeSentences,
});

async function renewCodes(visit: MemberVisit) {
	const { c, account, services } = visit;
	if (!account.twoFactor) return goTo(c, path);
	await confirm(visit, { always: true });
	return recoveryCodes(await replaceRecoveryCodes(services, account.id));
}

function recoveryCodes(codes: string[]) {
	const warning = (
		<>
			<strong>Store them now.</strong> They are shown only here, and earlier ones no longer work.
			Each lets you log in once without your authenticator app. Keep them where your password is
			not.
		</>
	);
	const codeList = { noun: 'recovery codes', secret: codes.join('\n'), warning, back: '/account' };
	return showOnce({ title: 'Your recovery codes', ...codeList });
}

function askToDisable(visit: MemberVisit) {
	return ask(visit, {
		title: 'Turn off two-factor authentication?',
		lead: 'A log-in then needs only your password. Your recovery codes no longer work, and all your other sessions are logged out.',
		facts: [['Account', <Name>{visit.account.email}</Name>]],
		cancel: path,
		submit: 'Turn off',
	});
}

async function disable(visit: MemberVisit) {
	await confirm(visit, { always: true });
	const { c, account, services } = visit;
	await turnOffTwoFactor(services, account.id, account.sessionId);
	return goTo(c, '/account', 'two-factor-off');
}
