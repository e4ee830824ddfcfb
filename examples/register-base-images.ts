// Registers the base images of a board type, in the order in which they are applied.
//   node examples/register-base-images.ts
import { type BaseImageInput, BoardAccess } from 'board-access';

const boardType = 'esp32-c6';
const release = 'https://images.example.com/esp32-c6/1.4.0';

const images: BaseImageInput[] = [
	{ action: 'erase', boardType, name: 'Clear the flash' },
	{
		action: 'flash',
		boardType,
		name: 'Bootloader',
		url: `${release}/boot.bin`,
		flashOffset: '0x0',
	},
	{
		action: 'flash',
		boardType,
		name: 'Partitions',
		url: `${release}/parts.bin`,
		flashOffset: '0x8000',
	},
	{
		action: 'flash',
		boardType,
		name: 'Application',
		url: `${release}/app.bin`,
		flashOffset: '0x10000',
	},
];

const client = new BoardAccess();

for (const image of images) {
	// With an idempotency key, the client can retry after a lost response without creating a second entry.
	const idempotencyKey = `${release} ${image.name}`;
	const { position, name, id } = await client.admin.baseImages.create(image, { idempotencyKey });
	console.log(`${position}  ${name}  ${id}`);
}
