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

/** An entry of the activity log. */
export interface ActivityEntry {
	/** Identifies the entry. */
	readonly id: string;
	/** What happened; a service may send other kinds too. */
	readonly kind: ActivityKind | (string & {});
	/** When it happened. */
	readonly createdAt: string;
	/** The account that the entry is about; null if there is none. */
	readonly accountId: string | null;
	/** The email address of that account. */
	readonly accountEmail: string | null;
	/** The account that made the change, if an account made it and you may see it. */
	readonly actorId: string | null;
	/** The email address of that account. */
	readonly actorEmail: string | null;
	/** How the change was made. */
	readonly via: ActivityChannel | (string & {});
	/** The API key that the change was made with. */
	readonly apiKeyId: string | null;
	/** The session that the change was made in. */
	readonly sessionId: string | null;
	/** The IP address that the request came from. */
	readonly address: string | null;
	/** The id of what changed: a key, a session, a board, a base image, an agent or a lease. */
	readonly subjectId: string | null;
	/** Details of the change, with the field names of the API. */
	readonly details: Readonly<Record<string, unknown>>;
	/** How often it happened, if the entry counts repeats. */
	readonly count: number;
	/** When it last happened. */
	readonly lastAt: string;
}

/** Which entries of the activity log to list. */
export interface ActivityQuery extends PageQuery {
	/** Only entries of this kind. */
	kind?: ActivityKind | undefined;
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
