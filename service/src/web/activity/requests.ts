// The API requests behind the pages about activity.
import type { ActivityFilter } from '../../activity/store.ts';
import { literal, requestExamples } from '../elements/request-examples.ts';
import { withQuery } from '../paths.ts';

export function ownActivityRequest(baseUrl: string) {
	return examplesOf(baseUrl, '/v1/activity', {});
}

export function allActivityRequest(baseUrl: string, { accountId, kind }: ActivityFilter) {
	return examplesOf(baseUrl, '/v1/admin/activity', { account_id: accountId, kind });
}

function examplesOf(baseUrl: string, path: string, filter: Record<string, string | undefined>) {
	const filtered = withQuery(path, filter);
	const query = filtered === path ? undefined : filter;
	return requestExamples({
		baseUrl,
		path: filtered,
		cli: ['api', 'GET', filtered, '--paginate'],
		typescript: `const { data } = await client.request(${literal({ method: 'GET', path, query })});`,
	});
}
