// How a free board becomes the board of a lease, as statements that a new lease and a queued one share.
import { newId } from '../../database/identifier.ts';

interface Free {
	/** The boards that the lease is for, and what else has to be true. */
	among: string;
	condition?: string;
	/** How many of them are left for others, as SQL. These are not locked. */
	left?: string;
	/** Whether to wait for boards that others are taking or changing. */
	waits?: boolean;
}

/** A `case`, because with `or` PostgreSQL misjudges how many boards match, and never keeps the plan. */
export const agentIfRequired =
	'case cast(:agent as integer) when 0 then true else agent_id is not null end';

/** As in the index `boards_free`: by another, PostgreSQL may read every free board if its statistics are old. */
const isFree = `status || '' = 'available'`;

/** The board for a lease: the cheapest first, then those with an agent first. */
export function freeBoard({ among, condition = 'true', left, waits = false }: Free) {
	const free = `select id from boards where ${among} and ${condition} and ${isFree}
		and exists (select 1 from account)
		and credits_per_minute <= (select most from rate)
		and ${agentIfRequired}`;
	const order = 'order by credits_per_minute, (agent_id is null), id';
	return `${free} ${left ? `and id not in (${free} ${order} limit ${left})` : ''} ${order}
		limit 1 {for no key update ${waits ? '' : 'skip locked'}}`;
}

export const ofTypeOrWanted =
	'board_type = :type and (cast(:wanted as text) is null or id = :wanted)';

/**
 * Gives the board to the lease, with the steps of its preparation and the terms of the lease. The fence is
 * also higher than on the lease's previous board, whose agent may still send reports.
 */
export const takenBoard = {
	'board (id, board_type, fence, credits_per_minute, agent_id, capabilities)': `update boards
		set lease_id = :id, lease_account_id = :account, status = 'in_use', status_since = :now, updated_at = :now,
			fence = 1 + case when cast(:fence as integer) > fence then cast(:fence as integer) else fence end
		where id = (select id from free)
		returning id, board_type, fence, credits_per_minute, agent_id, capabilities`,
	'step (position, action, name, url, file_id, flash_offset)': `select
			row_number() over (order by part, place, created_at, id) - 1, action, name, url, file_id, flash_offset
		from (
			select 0 as part, 0 as place, '' as created_at, '' as id, 'power_cycle' as action,
				null as name, null as url, null as file_id, null as flash_offset
			from board where capabilities like '%"power_cycle"%'
			union all
			select 1, images.position, images.created_at, images.id, images.action, images.name,
				case action when 'flash' then images.url end,
				case action when 'flash' then (select files.id from files where files.url = images.url limit 1) end,
				case action when 'flash' then images.flash_offset end
			from base_images as images
			where enabled = 1 and images.board_type = (select board_type from board where agent_id is not null)
			union all
			select 2, 0, '', '', 'reset', null, null, null, null from board where capabilities like '%"reset"%'
			union all
			select 3, 0, '', '', 'erase', null, null, null, null
			from board where capabilities like '%"between_leases":"erase"%'
				and capabilities not like '%"power_cycle"%' and capabilities not like '%"reset"%'
				and not exists (select 1 from base_images
					where enabled = 1 and base_images.board_type = board.board_type)
		) as parts`,
	'terms (status, steps, held)': `select case steps when 0 then 'active' else 'preparing' end, steps,
			cast(:minutes as integer) * case steps when 0 then credits_per_minute else (select most from rate) end
		from (select credits_per_minute, (select count(*) from step) as steps from board) as taken`,
} as const;

/** Adds the steps as the actions of the lease. */
export const plannedActions = `insert into lease_actions
	(id, lease_id, position, phase, action, name, url, file_id, flash_offset, status, message, created_at)
	select :actions || substr(cast(100 + position as text), 2), :id, position + (
			select coalesce(max(earlier.position) + 1, 0) from lease_actions as earlier where earlier.lease_id = :id
		), 'prepare', action,
		name, url, file_id, flash_offset, 'queued', '', :now
	from step where exists (select 1 from lease)
	returning id`;

/** The beginning of the identifiers of these actions. */
export function newActions() {
	return newId('act').slice(0, -2);
}
