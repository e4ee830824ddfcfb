// The web pages, and what else the service uses of them.
import type { ServiceApp } from 'board-access-http/environment';
import { accountPages } from './accounts/account.tsx';
import { linkPages } from './accounts/links.tsx';
import { logInPages } from './accounts/log-in.tsx';
import { twoFactorPages } from './accounts/two-factor.tsx';
import { activityPages } from './activity/routes.tsx';
import { accountAdminPages } from './admin/accounts.tsx';
import { agentAdminPages } from './admin/agents.tsx';
import { baseImagePages } from './admin/base-images.tsx';
import { boardAdminPages } from './admin/boards.tsx';
import { leaseAdminPages } from './admin/leases.tsx';
import { overviewPages } from './admin/overview.tsx';
import { boardPages } from './boards/boards-page.tsx';
import { creditPages } from './credits/credits.tsx';
import { docsPage } from './docs/docs-page.tsx';
import { keyPages } from './keys/keys.tsx';
import { leasePages } from './leases/routes.tsx';
import { createPages, type Services } from './pages.tsx';

export { assetRoutes } from './assets.ts';
export { errorPage, wantsPage } from './error-page.tsx';

export function webPages(app: ServiceApp, services: Services) {
	const pages = createPages(app, services);
	logInPages(pages);
	accountPages(pages);
	linkPages(pages, services);
	twoFactorPages(pages);
	boardPages(pages, services);
	keyPages(pages);
	activityPages(pages);
	creditPages(pages);
	baseImagePages(pages);
	boardAdminPages(pages);
	agentAdminPages(pages);
	leaseAdminPages(pages);
	overviewPages(pages);
	accountAdminPages(pages);
	docsPage(pages, services);
	leasePages(pages);
}
