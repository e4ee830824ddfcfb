// The operations that only admins can use.
import type { AdminActivity } from './activity.ts';
import type { AdminBoards } from './admin-boards.ts';
import type { BaseImages } from './base-images.ts';

/**
 * The operations that only admins can use.
 *
 * @group Client
 */
export interface Admin {
	/** What is flashed onto a board type, and in which order. */
	readonly baseImages: BaseImages;
	/** Creates, changes and deletes boards; `client.boards` lists them. */
	readonly boards: AdminBoards;
	/** The activity log of all accounts. */
	readonly activity: AdminActivity;
}
