// Mail holds links that open accounts, so it leaves this machine only over verified TLS.
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import { createMail, mailServer } from '../../src/accounts/mail/mail.ts';
import { settingsFrom } from '../../src/env.ts';
import { createLog } from '../../src/log.ts';
import { certificateFor } from '../support/certificate.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** Sends one message to a server at this address, and returns what arrived and what was logged. */
async function sendTo(address: string, options: SMTPServerOptions) {
	const inbox: string[] = [];
	const server = new SMTPServer({
		authOptional: true,
		...options,
		async onData(stream, _session, done) {
			inbox.push(await text(stream));
			done();
		},
	});
	// A client that does not trust the server breaks the connection.
	server.on('error', () => {});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	cleanups.push(() => new Promise<void>((resolve) => server.close(resolve)));
	// A listening TCP server has an address with a port.
	const { port } = server.server.address() as AddressInfo;
	const log: string[] = [];
	const settings = settingsFrom({ SMTP_URL: `${address}:${port}` });
	const mail = createMail(settings, createLog('info', { write: (line) => log.push(line) }));
	mail?.send(async () => ({ to: 'ann@example.com', subject: 'Reset', text: 'https://secret' }));
	await mail?.close();
	return { inbox, log: log.join() };
}

// Linux connects to itself here, but to the service it is not the address of this machine.
const elsewhere = '0.0.0.0';
const noTls = { disabledCommands: ['STARTTLS'] };

describe('a mail server on another machine', () => {
	test.each(['', 'name:password@'])(
		'gets nothing when STARTTLS was stripped on the way, with the credentials "%s"',
		async (credentials) => {
			const seen: unknown[] = [];
			const { inbox, log } = await sendTo(`smtp://${credentials}${elsewhere}`, {
				...noTls,
				allowInsecureAuth: true,
				onAuth: ({ password }, _session, done) => {
					seen.push(password);
					done(null, { user: 'name' });
				},
			});
			expect(inbox).toEqual([]);
			expect(seen).toEqual([]);
			expect(log).toContain('A message could not be sent');
			expect(log).toContain('STARTTLS');
		},
	);

	test.each([
		['smtp', {}],
		['smtps', { secure: true }],
	])('gets nothing over %s when its certificate cannot be verified', async (scheme, options) => {
		const { inbox, log } = await sendTo(`${scheme}://${elsewhere}`, options);
		expect(inbox).toEqual([]);
		expect(log).toContain('certificate');
	});

	const certificate = certificateFor(elsewhere);
	test.skipIf(!certificate).each([
		['smtp', {}],
		['smtps', { secure: true }],
	])('gets it over %s with a certificate that can', async (scheme, options) => {
		const trusted = tls.getCACertificates('default');
		cleanups.push(() => tls.setDefaultCACertificates(trusted));
		tls.setDefaultCACertificates([...trusted, certificate?.cert ?? '']);
		const { inbox, log } = await sendTo(`${scheme}://${elsewhere}`, { ...options, ...certificate });
		expect(log).toBe('');
		expect(inbox).toHaveLength(1);
	});
});

test.each([
	['127.0.0.1', noTls],
	['localhost', noTls],
	['localhost', {}],
])('a mail server at %s needs no verified TLS (%j)', async (host, options) => {
	const { inbox, log } = await sendTo(`smtp://${host}`, options);
	expect(log).toBe('');
	expect(inbox).toHaveLength(1);
});

test.each(['requireTLS=false', 'ignoreTLS=true', 'tls.rejectUnauthorized=false', 'logger=true'])(
	'?%s is an error at start that says what is possible',
	(parameter) => {
		const read = (scheme: string) => () =>
			settingsFrom({ SMTP_URL: `${scheme}://mail.example.com/?${parameter}` });
		expect(read('smtp')).toThrow(/^SMTP_URL .*smtps:\/\/.*STARTTLS.*this machine/);
		expect(read('smtps')).toThrow(/^SMTP_URL /);
	},
);

test.each([
	['127.evil.example', true],
	['localhost.evil.example', true],
	['128.0.0.1', true],
	['[::2]', true],
	['127.9.9.9', false],
	['[::1]', false],
])('TLS with %s is required: %s', (host, isRequired) => {
	const options = { requireTLS: isRequired, tls: { rejectUnauthorized: isRequired } };
	expect(mailServer(`smtp://${host}`)).toMatchObject(options);
});

test('a name and a password may contain any character', () => {
	expect(mailServer('smtps://a%40b:p%2Fw%3F@mail.example.com:2465')).toMatchObject({
		host: 'mail.example.com',
		port: 2465,
		secure: true,
		auth: { user: 'a@b', pass: 'p/w?' },
	});
});
