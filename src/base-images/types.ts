// Base images: what is flashed onto a board type, and in which order.
import type { baseImageActions } from '../contract/base-image.ts';
import type { Listing, PageQuery } from '../http/list.ts';
import type { CreateOptions, RequestOptions } from '../settings/settings.ts';

/** What an entry does: flash an image, or erase the flash. @useDeclaredType */
export type BaseImageAction = (typeof baseImageActions)[number];

/** A base image entry. */
export interface BaseImage {
	/** Identifies the entry. */
	readonly id: string;
	/** What the entry does. */
	readonly action: BaseImageAction | (string & {});
	/** The board type that it applies to. */
	readonly boardType: string;
	/** The display name. */
	readonly name: string;
	/** Free text. */
	readonly description: string;
	/** The address of the image. */
	readonly url: string;
	/** Where in the flash the image starts, for example `0x1000`. */
	readonly flashOffset: string;
	/** Its position among the entries of the board type. */
	readonly position: number;
	/** Whether the entry is used. */
	readonly enabled: boolean;
	/** The SHA-256 that the image must have, in hexadecimal; missing if none is required. */
	readonly sha256?: string | undefined;
	/** When it was created. */
	readonly createdAt: string;
}

/** The fields of a base image entry that can be changed; those left out stay. */
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
	/** Its position among the entries of the board type; the last one by default. */
	position?: number | null | undefined;
	/** Whether the entry is used. */
	enabled?: boolean | null | undefined;
	/** The SHA-256 of the image, 64 hexadecimal digits; required for an `http:` address. `''` removes it. */
	sha256?: string | null | undefined;
}

/** A base image entry to create. The service decides which fields it requires besides `action`. */
export interface BaseImageInput extends BaseImageUpdate {
	/** What the entry does. */
	action: BaseImageAction;
}

/** Which base images to list. */
export interface BaseImageQuery extends PageQuery {
	/** Only entries for this board type. */
	boardType?: string | undefined;
}

/** The base images of the service, for admins. */
export interface BaseImages {
	/**
	 * Creates an entry. A record that the service returned can be passed as it is.
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
	 *
	 * @throws {@link InputError} if `action` is missing or a field has another type.
	 */
	create(image: BaseImageInput | BaseImage, options?: CreateOptions): Promise<BaseImage>;

	/**
	 * Lists entries in their order. `await` the list for an array, loop over it with `for await`, or
	 * read its `pages()`.
	 *
	 * @example
	 * ```ts
	 * const images = await client.admin.baseImages.list({ boardType: 'esp32-s3' });
	 * ```
	 */
	list(query?: BaseImageQuery, options?: RequestOptions): Listing<BaseImage>;

	/**
	 * Returns one entry.
	 *
	 * @example
	 * ```ts
	 * const { url } = await client.admin.baseImages.get(image.id);
	 * ```
	 */
	get(id: string, options?: RequestOptions): Promise<BaseImage>;

	/**
	 * Changes some fields of an entry and returns the complete record.
	 *
	 * @example
	 * ```ts
	 * await client.admin.baseImages.update(image.id, { enabled: false });
	 * ```
	 */
	update(id: string, changes: BaseImageUpdate, options?: RequestOptions): Promise<BaseImage>;

	/**
	 * Deletes an entry.
	 *
	 * @example
	 * ```ts
	 * await client.admin.baseImages.delete(image.id);
	 * ```
	 */
	delete(id: string, options?: RequestOptions): Promise<void>;

	/**
	 * Replaces the entries of a board type, all or none: adds, changes and removes entries until it has
	 * exactly these, in this order. Entries are matched by name and action, so that replacing them again
	 * changes nothing.
	 *
	 * @example
	 * ```ts
	 * const images = await client.admin.baseImages.list({ boardType: 'esp32-s3' });
	 * const wanted = { boardType: 'esp32-s3', images: images.slice(1) };
	 * const { removed } = await client.admin.baseImages.replace({ ...wanted, dryRun: true });
	 * ```
	 */
	replace(wanted: BaseImageSet, options?: RequestOptions): Promise<BaseImagePlan>;
}

/** All base images of a board type, in order. */
export interface BaseImageSet {
	/** The board type. */
	boardType: string;
	/** Its entries. */
	images: readonly (BaseImageInput | BaseImage)[];
	/** Whether to return what would change, and change nothing. */
	dryRun?: boolean | undefined;
}

/** What replacing the base images of a board type has changed, or would change. */
export interface BaseImagePlan {
	/** The new entries; without an `id` in a dry run. */
	readonly added: readonly Partial<BaseImage>[];
	/** The entries that were changed. */
	readonly changed: readonly { readonly before: BaseImage; readonly after: BaseImage }[];
	/** The entries that were removed. */
	readonly removed: readonly BaseImage[];
	/** How many entries already were as given. */
	readonly unchanged: number;
}
