// Base images: what is flashed onto a board type, and in which order.
import type { baseImageActions } from '../contract/base-image.ts';
import type { Listing } from '../http/list.ts';
import type { CreateOptions, RequestOptions } from '../settings/settings.ts';

/**
 * What an entry does: flash an image, or erase the flash.
 *
 * @group Base images
 * @useDeclaredType
 */
export type BaseImageAction = (typeof baseImageActions)[number];

/**
 * A base image entry. Only `id` is always present; a service may leave the others out.
 *
 * @group Base images
 */
export interface BaseImage {
	/** Identifies the entry. */
	id: string;
	/** What the entry does. */
	action?: BaseImageAction | (string & {}) | null;
	/** The board type that it applies to. */
	boardType?: string | null;
	/** The display name. */
	name?: string | null;
	/** Free text. */
	description?: string | null;
	/** The address of the image. */
	url?: string | null;
	/** Where in the flash the image starts, for example `0x1000`. */
	flashOffset?: string | null;
	/** Its place among the entries of the board type. */
	position?: number | null;
	/** Whether the entry is used. */
	enabled?: boolean | null;
	/** When it was created. */
	createdAt?: string | null;
}

/**
 * The fields of a base image entry that can be changed; those left out stay.
 *
 * @group Base images
 */
export interface BaseImageUpdate {
	/** What the entry does. */
	action?: BaseImageAction | undefined;
	/** The board type that it applies to. */
	boardType?: string | null | undefined;
	/** The display name. */
	name?: string | null | undefined;
	/** Free text. */
	description?: string | null | undefined;
	/** The address of the image; required to flash. */
	url?: string | null | undefined;
	/** Where in the flash the image starts, for example `0x1000`. */
	flashOffset?: string | null | undefined;
	/** Its place among the entries of the board type; the last one by default. */
	position?: number | null | undefined;
	/** Whether the entry is used. */
	enabled?: boolean | null | undefined;
}

/**
 * A base image entry to create. The service decides which fields it requires besides `action`.
 *
 * @group Base images
 */
export interface BaseImageInput extends BaseImageUpdate {
	/** What the entry does. */
	action: BaseImageAction;
}

/**
 * Which base images to list.
 *
 * @group Base images
 */
export interface BaseImageQuery {
	/** Only entries for this board type. */
	boardType?: string | undefined;
	/** How many entries to request at a time. */
	pageSize?: number | undefined;
	/** Where to start: the `nextCursor` of a page. */
	cursor?: string | undefined;
}

/**
 * The base images of the service, for admins.
 *
 * @group Base images
 */
export interface BaseImages {
	/**
	 * Creates an entry. A record that the service returned can be passed as it is.
	 *
	 * @param image - The entry.
	 * @param options - Settings for this request.
	 *
	 * @example
	 * ```ts
	 * await client.admin.baseImages.create({
	 *   action: 'flash',
	 *   boardType: 'esp32-s3',
	 *   name: 'Bootloader',
	 *   url: 'https://images.example.com/boot.bin',
	 * });
	 * ```
	 */
	create(image: BaseImageInput | BaseImage, options?: CreateOptions): Promise<BaseImage>;

	/**
	 * Lists entries in their order. `await` the list for an array, loop over it with `for await`, or
	 * read its `pages()`.
	 *
	 * @param query - Which entries; all of them by default.
	 * @param options - Settings for this request.
	 */
	list(query?: BaseImageQuery, options?: RequestOptions): Listing<BaseImage>;

	/**
	 * Returns one entry.
	 *
	 * @param id - The id of the entry.
	 * @param options - Settings for this request.
	 */
	get(id: string, options?: RequestOptions): Promise<BaseImage>;

	/**
	 * Changes some fields of an entry and returns the complete record.
	 *
	 * @param id - The id of the entry.
	 * @param changes - The fields to change.
	 * @param options - Settings for this request.
	 */
	update(id: string, changes: BaseImageUpdate, options?: RequestOptions): Promise<BaseImage>;

	/**
	 * Deletes an entry.
	 *
	 * @param id - The id of the entry.
	 * @param options - Settings for this request.
	 */
	delete(id: string, options?: RequestOptions): Promise<void>;
}
