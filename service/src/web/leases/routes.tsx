// Leases on the pages.
import type { ServiceApp } from '../../http/environment.ts';
import type { Parts } from '../../parts.ts';
import type { Pages } from '../pages.tsx';

export function leasePages(app: ServiceApp, _parts: Parts, { forMembers }: Pages) {
	app.get(
		'/leases',
		forMembers(() => ({ title: 'Leases', main: <p>None</p> })),
	);
}
