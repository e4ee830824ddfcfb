// The tools that find, take and give back boards.
import type { Listing } from 'board-access';
import * as z from 'zod/mini';
import { leaseBoards } from '../ci/wanted-boards.ts';
import { leaseId, type Place, readBoards, secondsIn, text, wantedBoards } from './place.ts';
import { changes, destroys, reads, type Tool, tool } from './tool.ts';

const maybe = z.optional(text);

/** How many a list shows. */
const maxItems = 50;

async function firstOf<Item>(list: Listing<Item>) {
	const { value } = await list.pages().next();
	return { items: value?.items ?? [], more: value?.nextCursor !== undefined };
}

const listBoards = tool({
	name: 'list_boards',
	description: 'List boards: type, whether it is available, tags',
	hints: reads,
	input: z.strictObject({ type: maybe }),
	output: z.object({
		boards: z.array(
			z.object({
				id: text,
				type: text,
				status: text,
				credits_per_minute: z.number(),
				tags: z.record(text, text),
			}),
		),
		more: z.boolean(),
	}),
	async run({ type: boardType }, { client, signal }) {
		const list = client.boards.list({ boardType, pageSize: maxItems }, { signal });
		const { items, more } = await firstOf(list);
		const boards = items.map(({ id, boardType, status, hasAgent, ...board }) => ({
			id,
			type: boardType,
			// It can be leased, and nothing else.
			status: hasAgent ? status : `${status}, but nothing drives it`,
			credits_per_minute: board.creditsPerMinute,
			tags: { ...board.tags },
		}));
		return { boards, more };
	},
});

const leases = tool({
	name: 'leases',
	description: 'List your leases that have not ended',
	hints: reads,
	input: z.strictObject({}),
	output: z.object({
		leases: z.array(
			z.object({ ...leaseId, status: text, type: text, board_id: maybe, expires_at: maybe }),
		),
		more: z.boolean(),
	}),
	async run(_, { client, signal }) {
		const status = ['queued', 'preparing', 'active'] as const;
		const list = client.leases.list({ status, pageSize: maxItems }, { signal });
		const { items, more } = await firstOf(list);
		const leases = items.map(({ id, status, boardType: type, boardId, expiresAt }) => ({
			lease_id: id,
			status,
			type,
			board_id: boardId ?? undefined,
			expires_at: expiresAt ?? undefined,
		}));
		return { leases, more };
	},
});

const release = tool({
	name: 'release',
	description: 'Give a board back, with all of its group',
	hints: destroys,
	input: z.strictObject(leaseId),
	output: z.object({ credits: z.number() }),
	async run({ lease_id }, { client, signal }) {
		const lease = await client.leases.get(lease_id, { signal });
		const { credits } = await lease.release({ signal });
		return { credits: credits ?? 0 };
	},
});

export function leaseTools(place: Place): Tool[] {
	const leaseBoard = tool({
		name: 'lease_board',
		description:
			'Take a board in a known state for some minutes (10 unless given), or several by role',
		hints: changes,
		input: z.strictObject({
			boards: wantedBoards,
			minutes: z.optional(z.int().check(z.positive())),
			wait_seconds: secondsIn(place),
			label: maybe,
		}),
		output: z.object({
			leases: z.array(z.object({ ...leaseId, board_id: text, role: maybe, expires_at: maybe })),
		}),
		async run({ boards, minutes = 10, wait_seconds: wait = 0, label }, call) {
			const { client, signal, progress } = call;
			const terms = { durationMs: minutes * 60_000, waitMs: Math.ceil(wait) * 1_000, label };
			const wanted = readBoards(boards);
			if (wanted.some(({ file }) => file !== undefined)) {
				throw new Error('lease_board flashes nothing; pass the firmware to flash or run_firmware');
			}
			const leases = await leaseBoards(client, wanted, terms, {
				renew: false,
				signal,
				onProgress: ({ lease: { status, queuePosition } }) =>
					progress(status === 'queued' ? `Queued at position ${queuePosition}` : 'Preparing'),
			});
			call.hold(leases);
			return {
				leases: leases.map(({ id, boardId, role, expiresAt }) => ({
					lease_id: id,
					board_id: boardId,
					role: role ?? undefined,
					expires_at: expiresAt ?? undefined,
				})),
			};
		},
	});
	return [listBoards, leaseBoard, release, leases];
}
