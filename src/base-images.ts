// Which images are flashed onto a board type, and in what order.
import * as z from 'zod/mini';
import { baseImage, baseImageActions } from './contract/index.ts';
import { readInput, recordReader, snakeCased } from './lib/records.ts';
import type { RequestFunction } from './lib/request.ts';
import type { CreateOptions } from './lib/settings.ts';

/**
 * What an entry does: write an image, or clear the flash.
 *
 * @useDeclaredType
 */
export type BaseImageAction = (typeof baseImageActions)[number];

/** A base image entry. Only `id` is sure to be there; a service may leave the others out. */
export interface BaseImage {
	/** Identifies the entry. */
	id: string;
	/** What the entry does. */
	action?: BaseImageAction | (string & {}) | null;
	/** The board type that it applies to. */
	boardType?: string | null;
	/** What people call it. */
	name?: string | null;
	/** Free text. */
	description?: string | null;
	/** Where the image is. */
	url?: string | null;
	/** Where in the flash the image begins, for example `0x1000`. */
	flashOffset?: string | null;
	/** The place in the order of the entries of this board type. */
	position?: number | null;
	/** Whether the entry is in use. */
	enabled?: boolean | null;
	/** When it was created. */
	createdAt?: string | null;
}

/** A base image entry to create. Which fields are needed beside `action` is up to the service. */
export interface BaseImageInput {
	/** What the entry does. */
	action: BaseImageAction;
	/** The board type that it applies to. */
	boardType?: string | undefined;
	/** What people call it. */
	name?: string | undefined;
	/** Free text. */
	description?: string | undefined;
	/** Where the image is; needed to flash. */
	url?: string | undefined;
	/** Where in the flash the image begins, for example `0x1000`. */
	flashOffset?: string | undefined;
	/** The place in the order of the entries of this board type; the last one by default. */
	position?: number | undefined;
	/** Whether the entry is in use. */
	enabled?: boolean | undefined;
}

// A service may know more words for it than the contract does today.
const readBaseImage = recordReader({ ...baseImage.shape, action: z.string() });

const input = z.looseObject({
	action: z.enum(baseImageActions, "must be 'flash' or 'erase'"),
	boardType: z.optional(z.string()),
	name: z.optional(z.string()),
	description: z.optional(z.string()),
	url: z.optional(z.string()),
	flashOffset: z.optional(z.string()),
	position: z.optional(z.number()),
	enabled: z.optional(z.boolean()),
});

/** The base images of the service; for admins. */
export class BaseImages {
	readonly #request: RequestFunction;

	/** @internal */
	constructor(request: RequestFunction) {
		this.#request = request;
	}

	/**
	 * Creates an entry.
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
	async create(image: BaseImageInput, options?: CreateOptions): Promise<BaseImage> {
		const json = snakeCased(readInput(input, image));
		return await this.#request({
			method: 'POST',
			path: '/v1/admin/base-images',
			json,
			options,
			read: readBaseImage,
		});
	}
}
