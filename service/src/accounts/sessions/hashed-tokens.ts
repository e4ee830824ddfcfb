// better-auth would store session tokens as they are. Behind this wrapper the database sees their
// SHA-256 only, so that nobody can log in with what is in the database.
import { createHash } from 'node:crypto';
import type { BetterAuthOptions } from '@better-auth/core';
import type { DBAdapter, Where } from '@better-auth/core/db/adapter';

type AdapterFactory = (options: BetterAuthOptions) => DBAdapter<BetterAuthOptions>;

export function withHashedTokens(createAdapter: AdapterFactory): AdapterFactory {
	return (options) => {
		const adapter = createAdapter(options);
		return {
			...adapter,
			create: async ({ data, ...request }) => {
				const made = await adapter.create<Record<string, unknown>>({
					...request,
					data: request.model === 'session' ? { ...data, token: hash(data.token) } : data,
				});
				return withToken(made, request.model === 'session' ? data.token : undefined);
			},
			findOne: async (request) => {
				const found = await adapter.findOne<object>({ ...request, where: hashed(request) });
				return found && withToken(found, tokenSought(request));
			},
			findMany: ({ where = [], ...request }) =>
				adapter.findMany({ ...request, where: hashed({ ...request, where }) }),
			update: ({ update, ...request }) =>
				adapter.update({
					...request,
					where: hashed(request),
					update:
						request.model === 'session' && 'token' in update
							? { ...update, token: hash(update.token) }
							: update,
				}),
			delete: (request) => adapter.delete({ ...request, where: hashed(request) }),
			deleteMany: (request) => adapter.deleteMany({ ...request, where: hashed(request) }),
		};
	};
}

interface Search {
	model: string;
	where: Where[];
}

function hash(token: unknown) {
	return createHash('sha256').update(String(token)).digest('hex');
}

function isToken({ field }: Where) {
	return field === 'token';
}

function tokenSought({ model, where }: Search) {
	return model === 'session' ? where.find(isToken)?.value : undefined;
}

function hashed({ model, where }: Search) {
	return where.map((condition) =>
		model === 'session' && isToken(condition)
			? { ...condition, value: hash(condition.value) }
			: condition,
	);
}

/** better-auth continues with the token itself, which the database does not contain. */
function withToken<Row>(row: object, token: unknown): Row {
	// The adapter returns rows of the type that it was asked for.
	return (token === undefined ? row : { ...row, token }) as Row;
}
