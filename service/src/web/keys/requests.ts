// The API requests behind the pages about keys.
import { literal, requestExamples } from '../elements/code.tsx';

export function listKeysRequest(baseUrl: string) {
	return requestExamples({
		baseUrl,
		path: '/v1/auth/keys',
		cli: ['keys', 'list'],
		typescript: 'const keys = await client.keys.list();',
	});
}

export function createKeyRequest(baseUrl: string, label = 'ci') {
	return requestExamples({
		baseUrl,
		method: 'POST',
		path: '/v1/auth/keys',
		json: { label },
		cli: ['keys', 'create', '--label', label],
		typescript: `const { key } = await client.keys.create(${literal({ label })});`,
	});
}

export function revokeKeyRequest(baseUrl: string, id: string) {
	return requestExamples({
		baseUrl,
		method: 'DELETE',
		path: `/v1/auth/keys/${id}`,
		cli: ['keys', 'revoke', id],
		typescript: `await client.keys.revoke(${literal(id)});`,
	});
}
