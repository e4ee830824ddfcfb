// The commands `list-boards`, `create-key`, `revoke-key` and `create-base-image`.
import type { ApiKeyScope, BaseImageAction, BoardAccess, BoardStatus } from 'board-access';
import { expiryAfter } from '../ci/duration.ts';
import { safeId } from '../ci/escape.ts';
import { matrixOf } from '../ci/matrix.ts';
import type { Runner } from './runner.ts';
import { summaryTable } from './summary.ts';

export async function listBoards(client: BoardAccess, runner: Runner) {
	const allowEmpty = runner.flag('allow-empty');
	const boards = await client.boards.list({
		boardType: runner.given('board-type'),
		status: runner.given('status') as BoardStatus | undefined, // the service rejects others
	});
	const { matrix, notes } = matrixOf(boards, {
		includeUndriven: runner.flag('include-undriven'),
		option: 'include-undriven: true includes them.',
	});
	runner.output('boards', JSON.stringify(boards));
	runner.output('board-count', String(boards.length));
	runner.output('matrix', JSON.stringify(matrix));
	const rows = boards.map(({ id, name, boardType, status }) => [id, name, boardType, status]);
	runner.summary(summaryTable(['Board', 'Name', 'Type', 'Status'], rows));
	for (const note of notes) runner.warning(note);
	if (matrix.include.length > 0 || allowEmpty) return;
	const reason = boards.length > 0 ? 'No agent drives a board that matches.' : 'No board matches.';
	throw new Error(
		`${reason} An empty matrix would let the workflow pass without a test; allow-empty: true accepts it.`,
	);
}

export async function createKey(client: BoardAccess, runner: Runner) {
	const keep = runner.flag('keep-key');
	const label = runner.given('label');
	const scope = (runner.given('scope') ?? 'boards') as ApiKeyScope; // the service rejects others
	// A killed job cannot revoke its key.
	const lifetime = runner.given('expires-in') ?? (keep ? undefined : '24h');
	const expiresAt = lifetime === undefined ? undefined : expiryAfter(lifetime);
	const { id, key } = await client.keys.create({ label, scope, expiresAt });
	runner.mask(key);
	if (!keep) runner.saveState('keyId', id);
	runner.output('key', key);
	runner.output('key-id', safeId(id));
	const expiry = expiresAt ? `, expires at ${expiresAt.toISOString()}` : '';
	const end = (keep ? 'valid until it is revoked' : 'revoked when the job ends') + expiry;
	runner.summary(summaryTable(['Key', 'Label', ''], [[id, label, end]]));
}

export async function revokeKey(client: BoardAccess, runner: Runner, id = runner.input('key-id')) {
	await client.keys.revoke(id);
	runner.info(`The key ${id} is revoked.`);
	runner.output('key-id', id);
}

export async function createBaseImage(client: BoardAccess, runner: Runner) {
	const position = runner.given('position');
	if (position && !/^\d+$/.test(position)) {
		throw new Error('The input position must be a whole number');
	}
	const image = await client.admin.baseImages.create({
		action: runner.input('image-action') as BaseImageAction, // the service checks it
		boardType: runner.given('board-type'),
		name: runner.given('name'),
		description: runner.given('description'),
		url: runner.given('url'),
		sha256: runner.given('sha256'),
		flashOffset: runner.given('flash-offset'),
		position: position === undefined ? undefined : Number(position),
		enabled: runner.flag('enabled'),
	});
	const { id, boardType, action, flashOffset, name } = image;
	runner.output('base-image-id', safeId(id));
	const titles = ['Base image', 'Board type', 'Action', 'Offset', 'Name'];
	runner.summary(summaryTable(titles, [[id, boardType, action, flashOffset, name]]));
}
