// The operations on base images, as the documentation describes them.
import { baseImageQuery } from 'board-access-contract';
import { change, creation, idempotencyKey, inPath, type Operation } from './operation.ts';

const baseImageId = inPath(
	'id',
	'The identifier of the base image.',
	'img_1f2e3d4c5b6a79880716253a',
);

const image = {
	action: 'flash',
	name: 'Application',
	url: 'https://images.example.com/app.bin',
	flash_offset: '0x10000',
};

export const baseImageOperations: Record<string, Record<string, Operation>> = {
	'/v1/admin/base-images': {
		get: {
			operationId: 'listBaseImages',
			summary: 'List the base images',
			description: 'For administrators. Grouped by board type, each in order.',
			tag: 'Base images',
			query: baseImageQuery,
			success: { status: 200, schema: 'BaseImagePage', description: 'A page of base images' },
			errors: ['admin_required', 'scope_insufficient'],
		},
		put: {
			operationId: 'replaceBaseImages',
			summary: 'Replace the base images of a board type',
			description:
				'For administrators. Adds, changes and removes entries in one transaction, so that the board type has exactly the given ones. Entries are matched by name and action. With `dry_run` nothing is changed. Sending the same request again changes nothing.',
			tag: 'Base images',
			input: { schema: 'BaseImageSet', required: true },
			example: { request: { board_type: 'esp32-s3', images: [image], dry_run: true } },
			success: { status: 200, schema: 'BaseImagePlan', description: 'What changed' },
			errors: [...change, 'admin_required', 'scope_insufficient'],
		},
		post: {
			operationId: 'createBaseImage',
			summary: 'Create a base image',
			description:
				'For administrators. `flash` needs `url`. Without a position, the entry is added after the last one of its board type. The service always assigns `id` and `created_at`.',
			tag: 'Base images',
			parameters: [idempotencyKey],
			input: { schema: 'BaseImageInput', required: true },
			example: { request: { board_type: 'esp32-s3', ...image } },
			success: { status: 201, schema: 'BaseImage', description: 'The base image' },
			errors: [...creation, 'admin_required', 'scope_insufficient'],
		},
	},
	'/v1/admin/base-images/{id}': {
		get: {
			operationId: 'getBaseImage',
			summary: 'Get a base image',
			description: 'For administrators.',
			tag: 'Base images',
			parameters: [baseImageId],
			success: { status: 200, schema: 'BaseImage', description: 'The base image' },
			errors: ['admin_required', 'scope_insufficient', 'base_image_not_found'],
		},
		patch: {
			operationId: 'updateBaseImage',
			summary: 'Change a base image',
			description: 'For administrators. Omitted fields do not change.',
			tag: 'Base images',
			parameters: [baseImageId],
			input: { schema: 'BaseImageUpdate', required: true },
			example: { request: { enabled: false } },
			success: { status: 200, schema: 'BaseImage', description: 'The changed base image' },
			errors: [...change, 'admin_required', 'scope_insufficient', 'base_image_not_found'],
		},
		delete: {
			operationId: 'deleteBaseImage',
			summary: 'Delete a base image',
			description: 'For administrators.',
			tag: 'Base images',
			parameters: [baseImageId],
			success: { status: 200, schema: 'BaseImage', description: 'The deleted base image' },
			errors: ['origin_refused', 'admin_required', 'scope_insufficient', 'base_image_not_found'],
		},
	},
};
