// Values for the examples of the API reference, which run against the demo.
import { asSchema } from './fields.tsx';

const body: Record<string, unknown> = {
	action: 'flash',
	board_ids: ['brd_esp32-s3-01'],
	board_type: 'esp32-s3',
	flash_offset: '0x10000',
	label: 'ci',
	minutes: 10,
	name: 'App',
	on: true,
	reason: 'USB connector is being replaced',
	url: 'https://images.example.com/app.bin',
};

const path: Record<string, string> = {
	id: 'key_0123456789abcdef01234567',
	board_id: 'brd_esp32-s3-01',
};

/** A body with every field of the schema for which there is an example. */
export function exampleBody(schema: unknown) {
	const names = Object.keys(asSchema(schema).properties ?? {});
	return Object.fromEntries(names.filter((name) => name in body).map((name) => [name, body[name]]));
}

/** A path with values in place of its parameters, or with a shell variable where one is needed. */
export function examplePath(template: string) {
	return template.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? name.toUpperCase());
}
