// Every page, as a visitor with a browser opens it.
import type { Page } from 'playwright-core';
import { totp } from '../../../../core/test/support/totp.ts';
import type { Role } from './lab.ts';

export interface Sight {
	name: string;
	role: Role;
	open(page: Page): Promise<unknown>;
}

function sight(name: string, role: Role, open: string | Sight['open']): Sight {
	return {
		name,
		role,
		open: typeof open === 'string' ? (page) => page.goto(open) : open,
	};
}

async function fill(page: Page, fields: Record<string, string>) {
	for (const [name, value] of Object.entries(fields)) await page.locator(`#${name}`).fill(value);
}

async function submit(page: Page) {
	const sent = page.waitForEvent('domcontentloaded');
	await page.locator('main button[type=submit]').first().click();
	await sent;
}

async function openLease(page: Page, status: string) {
	await page.goto('/leases');
	await page.getByRole('row').filter({ hasText: status }).locator('.row-link').first().click();
	await page.waitForURL('**/leases/lse_*');
}

async function setUpTwoFactor(page: Page) {
	await page.goto('/account/two-factor');
	await fill(page, { confirmation: 'a long sentence' });
	await submit(page);
}

async function turnTwoFactorOn(page: Page) {
	await setUpTwoFactor(page);
	await fill(page, { code: totp((await page.locator('#secret').textContent()) ?? '') });
	await submit(page);
}

export const sights: Sight[] = [
	sight('sign-up', 'stranger', '/signup'),
	sight('sign-up-refused', 'stranger', async (page) => {
		await page.goto('/signup');
		await fill(page, { email: 'free@example.com', password: 'long enough' });
		await submit(page);
	}),
	sight('log-in', 'stranger', '/login?next=/keys'),
	sight('not-found', 'stranger', '/nowhere'),
	sight('docs', 'stranger', async (page) => {
		await page.goto('/docs');
		const endpoints = await page.locator('.endpoint summary').all();
		for (const summary of endpoints.slice(0, 5)) await summary.click();
	}),

	sight('top-up-confirm', 'paid', '/credits/top-up?credits=25'),
	sight('keys-none-found', 'paid', '/keys?q=zx81'),
	sight('keys-all', 'paid', '/keys?revoked=true'),
	sight('activity', 'paid', '/account/activity'),
	sight('activity-all', 'admin', '/admin/activity'),
	sight('activity-none', 'admin', '/admin/activity?account=nobody'),
	sight('boards', 'free', '/boards'),
	sight('boards-filtered', 'paid', '/boards?q=rack-2&status=available&sort=price'),
	sight('boards-none', 'paid', '/boards?q=zx81'),
	sight('board', 'free', '/boards/brd_esp32-s3-01'),
	sight('board-in-use', 'admin', '/boards/brd_esp32-s3-02'),
	sight('board-long', 'free', async (page) => {
		await page.goto('/boards?q=extraordinarily');
		await page.locator('.row-link').first().click();
		await page.waitForURL('**/boards/brd_*');
	}),
	sight('boards-call', 'paid', async (page) => {
		await page.goto('/boards?board_type=esp32-s3&status=available');
		await page.locator('.same-request summary').click();
	}),

	sight('leases-empty', 'free', '/leases'),
	sight('leases', 'paid', '/leases'),
	sight('lease-queued', 'paid', (page) => openLease(page, 'Waiting')),
	sight('lease-active', 'paid', (page) => openLease(page, 'Active')),
	sight('lease-shared', 'paid', async (page) => {
		await openLease(page, 'Active');
		await page.locator('.share-form').evaluate((form: HTMLDetailsElement) => {
			form.open = true;
		});
	}),
	sight('lease-watched', 'admin', async (page) => {
		await page.goto('/admin/leases');
		await page.getByRole('row').filter({ hasText: 'Active' }).getByText('Watch').first().click();
		await page.locator('.workbench').waitFor();
	}),
	sight('lease-group', 'paid', async (page) => {
		await page.goto('/boards/brd_nrf52840-dk-01');
		if (await page.locator('[name=peers]').isVisible()) {
			await fill(page, { peers: 'esp32-s3:location=rack-1' });
			await submit(page);
		} else {
			await page.getByText('Open the lease').click();
			await page.getByText('side by side').click();
		}
		await page.waitForURL('**/group');
		await page.frameLocator('iframe').first().locator('[data-lease]').waitFor();
	}),
	sight('lease-ended', 'paid', (page) => openLease(page, 'Ended')),

	sight('keys-empty', 'free', '/keys'),
	sight('key-form-free', 'free', '/keys/new'),
	sight('keys', 'paid', '/keys?revoked=true'),
	sight('key-form', 'paid', '/keys/new'),
	sight('key-form-refused', 'paid', async (page) => {
		await page.goto('/keys/new');
		await page.locator('#label').evaluate((input) => input.removeAttribute('maxlength'));
		await fill(page, { label: 'too long '.repeat(30) });
		await submit(page);
	}),
	sight('key-created', 'paid', async (page) => {
		await page.goto('/keys/new');
		await fill(page, { label: 'ci' });
		await submit(page);
	}),
	sight('key-revoke', 'paid', async (page) => {
		await page.goto('/keys');
		await page
			.getByRole('link', { name: /^Revoke / })
			.last()
			.click();
		await page.waitForURL('**/keys/revoke?*');
	}),

	sight('credits-free', 'free', '/credits'),
	sight('credits', 'paid', '/credits'),
	sight('account', 'paid', '/account'),
	sight('password-refused', 'paid', async (page) => {
		await page.goto('/account');
		await fill(page, { current: 'not this one', next: 'long enough' });
		await page.getByRole('button', { name: 'Change password' }).click();
		await page.waitForURL('**/account/password');
	}),
	sight('confirm', 'admin', async (page) => {
		await page.goto('/account/delete');
		await submit(page);
	}),
	sight('account-delete', 'paid', '/account/delete'),
	sight('two-factor', 'free', setUpTwoFactor),
	sight('two-factor-refused', 'free', async (page) => {
		await setUpTwoFactor(page);
		await fill(page, { code: '12' });
		await submit(page);
	}),
	sight('recovery-codes', 'paid', async (page) => {
		await turnTwoFactorOn(page);
	}),
	sight('two-factor-on', 'paid', '/account/two-factor'),
	sight('confirm-code', 'paid', async (page) => {
		await page.goto('/account/two-factor/off');
		await submit(page);
	}),
	sight('log-in-code', 'paid', async (page) => {
		await page.context().clearCookies();
		await page.goto('/login');
		await fill(page, { email: 'grace@example.com', password: 'a long sentence' });
		await submit(page);
		await page.waitForURL('**/login/code*');
	}),
	sight('two-factor-off', 'paid', '/account/two-factor/off'),
	sight('not-an-admin', 'paid', '/admin/accounts'),

	sight('base-images', 'admin', '/admin/base-images'),
	sight('base-image-form', 'admin', '/admin/base-images/new?board_type=esp32-s3'),
	sight('base-image-erase', 'admin', async (page) => {
		await page.goto('/admin/base-images/new');
		await page.locator('input[value=erase]').check();
	}),
	sight('base-image-refused', 'admin', async (page) => {
		await page.goto('/admin/base-images/new');
		await fill(page, { board_type: 'esp32-s3', name: 'App', flash_offset: '32.768', url: '' });
		await submit(page);
	}),
	sight('base-image-edit', 'admin', async (page) => {
		await page.goto('/admin/base-images');
		await page
			.getByRole('link', { name: /^Edit / })
			.first()
			.click();
		await page.waitForURL('**/admin/base-images/img_*');
	}),
	sight('overview', 'admin', '/admin/overview'),
	sight('all-leases', 'admin', '/admin/leases'),
	sight('lease-end', 'admin', async (page) => {
		await page.goto('/admin/leases');
		await page
			.getByRole('link', { name: /^End the lease/ })
			.first()
			.click();
		await page.waitForURL('**/admin/leases/*/end');
	}),
	sight('agents', 'admin', '/admin/agents'),
	sight('board-edit', 'admin', '/admin/boards/brd_esp32-s3-01'),
	sight('board-add-refused', 'admin', async (page) => {
		await page.goto('/admin/boards/new');
		await fill(page, { name: 'uno', board_type: 'uno', credits_per_minute: 'many' });
		await submit(page);
	}),
	sight('inventory', 'admin', '/admin/boards'),
	sight('accounts', 'admin', '/admin/accounts'),
	sight('account-detail', 'admin', async (page) => {
		await page.goto('/admin/accounts');
		await page.getByRole('link', { name: 'grace@example.com' }).click();
		await page.waitForURL('**/admin/accounts/acc_*');
	}),
	sight('account-change', 'admin', async (page) => {
		await page.goto('/admin/accounts');
		await page.getByRole('link', { name: 'ada@example.com' }).click();
		await page.getByRole('link', { name: 'Disable' }).click();
		await page.waitForURL('**/disable');
	}),
];
