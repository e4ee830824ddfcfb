// What only admins may do.
import { BaseImages } from './base-images.ts';
import type { RequestFunction } from './lib/request.ts';

/** The calls for admins. */
export class Admin {
	/** Which images are flashed onto a board type, and in what order. */
	readonly baseImages: BaseImages;

	/** @internal */
	constructor(request: RequestFunction) {
		this.baseImages = new BaseImages(request);
	}
}
