// The operations that only admins can use.
import { type AdminActivity, createActivity } from './activity.ts';
import { type AdminBoards, createAdminBoards } from './admin-boards.ts';
import { type BaseImages, createBaseImages } from './base-images.ts';
import type { RequestFunction } from './lib/request.ts';

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

export function createAdmin(request: RequestFunction): Admin {
	return {
		baseImages: createBaseImages(request),
		boards: createAdminBoards(request),
		activity: createActivity(request, '/v1/admin/activity'),
	};
}
