import { expect, test } from 'vitest';
import { alertMessage, newDeviceAlert } from '../../src/accounts/mail/messages.ts';

test('the message about a new device names the browser and the address', () => {
	const { subject, text } = alertMessage('a@example.com', newDeviceAlert('Firefox\u202e 1\nx'), {
		at: '2026-01-02T03:04:05.678Z',
		address: '203.0.113.7',
		byAdministrator: false,
		webUrl: 'https://boards.example.com',
	});
	expect(subject).toBe('New login to your account');
	expect(text).toContain(
		'Browser: Firefox  1 x\nTime: 2026-01-02 03:04:05 UTC\nAddress: 203.0.113.7',
	);
	expect(text).toContain('https://boards.example.com/account');
});
