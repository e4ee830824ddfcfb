// Reads which boards a test wants, as people write them: `--tag rack=b2`, `dut=rp2040-pico:radio=lora,app.uf2`.
import type {
	BoardAccess,
	Lease,
	LeaseCreateOptions,
	LeaseGroupTerms,
	WantedBoard,
} from 'board-access';
import { readTag, readWantedBoard, rolePattern, roleRule } from '../contract/lease.ts';
import { camelCased } from '../contract/names.ts';

/** A board, and the file of its firmware. */
export interface ChosenBoard {
	/** Its role in a group; null for a lease of its own. */
	role: string | null;
	wanted: WantedBoard;
	file?: string | undefined;
}

export type RoleBoard = ChosenBoard & { role: string };

/** Reads a tag: a name and a value, or a name alone for any value. */
export function readWantedTag(text: string) {
	const [name, value] = readTag(text);
	if (name !== '' && value !== '') return [name, value] as const;
	throw new Error('Expected a tag such as rack=b2, or its name alone for any value.');
}

/** The role, then a type or an ID with tags after colons, then a file after a comma. */
export function readRoleBoard(text: string): RoleBoard {
	const [, role = '', board = '', file] = /^([^=]*)=([^,]*)(?:,(.+))?$/s.exec(text) ?? [];
	if (!rolePattern.test(role)) throw new Error(`The role ${role} ${roleRule}.`);
	const [name, ...tags] = board.split(':');
	if (name === '') throw new Error(`Write a type or an ID after ${role}=.`);
	tags.forEach(readWantedTag);
	return { role, wanted: camelCased(readWantedBoard(board)) as WantedBoard, file };
}

/** The same without a role: one board. */
export function readChosenBoard(text: string): ChosenBoard {
	if (/^[^:,]*=/.test(text)) return readRoleBoard(text);
	if (/^[:,]|^$/.test(text)) throw new Error('Write a type or an ID.');
	return { ...readRoleBoard(`one=${text}`), role: null };
}

/** Throws if several boards have the same role. */
export function checkRoles(boards: readonly RoleBoard[]) {
	const roles = boards.map(({ role }) => role);
	const twice = roles.find((role, index) => roles.indexOf(role) !== index);
	if (twice !== undefined) throw new Error(`The role ${twice} is named twice`);
}

/** Leases one board, or several by their roles, and returns the leases in the order of the boards. */
export async function leaseBoards(
	client: BoardAccess,
	boards: readonly ChosenBoard[],
	{ requiresAgent, ...terms }: LeaseGroupTerms & Pick<WantedBoard, 'requiresAgent'>,
	options: LeaseCreateOptions,
): Promise<[Lease, ...Lease[]]> {
	const wanted = boards.map(({ role, wanted }) => [role, { ...wanted, requiresAgent }] as const);
	const [[role, board] = []] = wanted;
	if (role === null && board) return [await client.leases.create({ ...board, ...terms }, options)];
	const group = await client.leases.createGroup(Object.fromEntries(wanted), terms, options);
	return wanted.flatMap(([role]) => group[`${role}`] ?? []) as [Lease, ...Lease[]]; // every role
}
