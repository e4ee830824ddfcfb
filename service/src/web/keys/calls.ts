// The calls of the API that the pages about keys stand for.
import { callOf, literal } from '../elements/calls.ts';

export function listKeysCall(baseUrl: string) {
	return callOf({
		baseUrl,
		path: '/v1/auth/keys',
		cli: ['keys', 'list'],
		typescript: 'const keys = await client.keys.list();',
	});
}

export function createKeyCall(baseUrl: string, label = 'ci') {
	return callOf({
		baseUrl,
		method: 'POST',
		path: '/v1/auth/keys',
		json: { label },
		cli: ['keys', 'create', '--label', label],
		typescript: `const { key } = await client.keys.create(${literal({ label })});`,
	});
}

export function revokeKeyCall(baseUrl: string, id: string) {
	return callOf({
		baseUrl,
		method: 'DELETE',
		path: `/v1/auth/keys/${id}`,
		cli: ['keys', 'revoke', id],
		typescript: `await client.keys.revoke(${literal(id)});`,
	});
}
