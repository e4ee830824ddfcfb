// Sends mail through the server of SMTP_URL.
import { isIPv4 } from 'node:net';
import type { Settings } from '../../env.ts';
import { createCounts } from '../../limits/counts.ts';
import type { Log } from '../../log.ts';

interface Message {
	to: string;
	subject: string;
	/** A function is called only if the message is sent. */
	text: string | (() => Promise<string>);
}

export type Mail = NonNullable<ReturnType<typeof createMail>>;

const patience = 8000;
const perHour = 5;

export function createMail(
	{ smtpUrl, mailFrom, webUrl }: Pick<Settings, 'smtpUrl' | 'mailFrom' | 'webUrl'>,
	log: Log,
) {
	if (!smtpUrl) return undefined;
	const from = mailFrom ?? `board-access@${new URL(webUrl).hostname}`;
	let transport: ReturnType<typeof connect> | undefined;
	const pending = new Set<Promise<void>>();
	// By subject, so that a flood of one kind cannot keep another from being sent.
	const sent = createCounts()('mail', perHour, { seconds: 3600 });
	const deliver = async (write: () => Promise<Message | undefined>) => {
		const message = await write();
		if (!message) return;
		try {
			await sent.count(`${message.subject} ${message.to}`);
		} catch {
			return; // too many
		}
		const text = typeof message.text === 'string' ? message.text : await message.text();
		transport ??= connect(smtpUrl);
		await (await transport).sendMail({ from, ...message, text });
	};
	return {
		/** Writes and sends in the background, so that the time of a response does not reveal whether an account exists. */
		send(write: () => Promise<Message | undefined>) {
			const sending = deliver(write)
				.catch((error) => log.error({ error }, 'A message could not be sent'))
				.finally(() => pending.delete(sending));
			pending.add(sending);
		},
		/** Waits for messages that are being sent. */
		async close() {
			await Promise.all(pending);
			(await transport)?.close();
		},
	};
}

async function connect(smtpUrl: string) {
	// Loaded with the first message, because loading it takes a tenth of the start-up time.
	const { createTransport } = await import('nodemailer');
	return createTransport({
		...mailServer(smtpUrl),
		connectionTimeout: patience,
		greetingTimeout: patience,
		socketTimeout: patience,
	});
}

/** Connects to the server and logs in, but sends nothing. */
export async function checkMailServer(smtpUrl: string) {
	const transport = await connect(smtpUrl);
	await transport.verify().finally(() => transport.close());
}

/** TLS with a verified certificate, unless the server is on this machine. */
export function mailServer(smtpUrl: string) {
	const { protocol, hostname, port, username, password } = new URL(smtpUrl);
	// A name server must not decide which machine this is.
	const host = hostname === 'localhost' ? '127.0.0.1' : hostname.replace(/[[\]]/g, '');
	const isLocal = host === '::1' || (isIPv4(host) && host.startsWith('127.'));
	const credentials = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
	return {
		host,
		...(port && { port: Number(port) }),
		secure: protocol === 'smtps:',
		requireTLS: !isLocal,
		tls: { rejectUnauthorized: !isLocal },
		...(username && { auth: credentials }),
	};
}
