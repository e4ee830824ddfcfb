// The activity log: who changed what, when, from where and with what.
import type { activityChannels, activityKinds } from '../contract/activity.ts';
import type { Listing, PageQuery } from '../http/list.ts';
import type { RequestOptions } from '../settings/settings.ts';

/**
 * What an entry of the activity log is about. The part before the dot names what changed.
 *
 * @useDeclaredType
 */
export type ActivityKind = (typeof activityKinds)[number];

/** How a change was made: `visitor` is somebody who is not logged in. @useDeclaredType */
export type ActivityChannel = (typeof activityChannels)[number];

/** An entry of the activity log. Only `id` is always present; a service may leave the others out. */
export interface ActivityEntry {
	/** Identifies the entry. */
	id: string;
	/** What happened; a service may send other kinds too. */
	kind?: ActivityKind | (string & {}) | null;
	/** When it happened. */
	createdAt?: string | null;
	/** The account that the entry is about; null if there is none. */
	accountId?: string | null;
	/** The email address of that account. */
	accountEmail?: string | null;
	/** The account that made the change, if an account made it and you may see it. */
	actorId?: string | null;
	/** The email address of that account. */
	actorEmail?: string | null;
	/** How the change was made. */
	via?: ActivityChannel | (string & {}) | null;
	/** The API key that the change was made with. */
	apiKeyId?: string | null;
	/** The session that the change was made in. */
	sessionId?: string | null;
	/** The IP address that the request came from. */
	address?: string | null;
	/** The id of what changed: a key, a session, a board, a base image, an agent or a lease. */
	subjectId?: string | null;
	/** Details of the change, with the field names of the API. */
	details?: Record<string, unknown> | null;
	/** How often it happened, if the entry counts repeats. */
	count?: number | null;
	/** When it last happened. */
	lastAt?: string | null;
}

/** Which entries of the activity log to list. */
export interface ActivityQuery extends PageQuery {
	/** Only entries of this kind. */
	kind?: ActivityKind | (string & {}) | undefined;
}

/** Which entries of the activity log of all accounts to list. */
export interface AdminActivityQuery extends ActivityQuery {
	/** Only entries about this account, or made by it. */
	accountId?: string | undefined;
}

/** The activity log of the account. */
export interface Activity {
	/**
	 * Lists the changes in the account, newest first.
	 *
	 * @example
	 * ```ts
	 * const created = await client.activity.list({ kind: 'key.created' });
	 * ```
	 */
	list(query?: ActivityQuery, options?: RequestOptions): Listing<ActivityEntry>;
}

/** The activity log of all accounts, for admins. */
export interface AdminActivity {
	/**
	 * Lists the changes in all accounts, newest first.
	 *
	 * @example
	 * ```ts
	 * const logIns = client.admin.activity.list({ kind: 'session.refused' });
	 * for await (const { address, lastAt } of logIns) console.log(address, lastAt);
	 * ```
	 */
	list(query?: AdminActivityQuery, options?: RequestOptions): Listing<ActivityEntry>;
}
