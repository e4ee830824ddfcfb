// The web pages.
import type { ServiceApp } from '../http/environment.ts';
import type { Parts } from '../parts.ts';
import { accountPages } from './accounts/account.tsx';
import { linkPages } from './accounts/links.tsx';
import { logInPages } from './accounts/log-in.tsx';
import { twoFactorPages } from './accounts/two-factor.tsx';
import { activityPages } from './activity/routes.tsx';
import { accountAdminPages } from './admin/account-routes.tsx';
import { agentAdminPages } from './admin/agent-routes.tsx';
import { baseImagePages } from './admin/base-image-routes.tsx';
import { boardAdminPages } from './admin/board-routes.tsx';
import { leaseAdminPages } from './admin/lease-routes.tsx';
import { boardPages } from './boards/routes.tsx';
import { creditPages } from './credits/routes.tsx';
import { docsPage } from './docs/routes.tsx';
import { keyPages } from './keys/routes.tsx';
import { landingPage } from './landing-page.tsx';
import { leasePages } from './leases/routes.tsx';
import { createPages } from './pages.tsx';

export function webPages(app: ServiceApp, parts: Parts) {
	const pages = createPages(app, parts);
	landingPage(app, pages);
	logInPages(app, pages);
	accountPages(app, pages);
	linkPages(app, pages, parts);
	twoFactorPages(app, pages);
	boardPages(app, pages, parts);
	keyPages(app, pages);
	activityPages(app, pages);
	creditPages(app, pages, parts);
	baseImagePages(app, pages);
	boardAdminPages(app, pages);
	agentAdminPages(app, pages);
	leaseAdminPages(app, pages);
	accountAdminPages(app, pages);
	docsPage(app, pages);
	leasePages(app, pages);
}
