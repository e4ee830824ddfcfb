// npm run bench [-- client service channels groups leases] [--quick]: measures, and prints tables for docs/benchmarks.md.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { quick: { type: 'boolean', default: false } },
});

// Loaded when they are measured, because the long tests run `leases` without what the others need.
const parts: Readonly<Record<string, () => Promise<void>>> = {
	client: async () => (await import('./client/per-call.ts')).client(values.quick),
	service: async () => (await import('./service/service.ts')).service(values.quick),
	channels: async () => (await import('./channels/channels.ts')).channels(values.quick),
	groups: async () => (await import('./groups/groups.ts')).groups(values.quick),
	leases: async () => (await import('./leases/leases.ts')).leases(values.quick),
};

const [cpu, ...others] = cpus();
console.log(`${others.length + 1} × ${cpu?.model.trim()}, Node.js ${process.version}`);
for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
	const part = parts[name];
	if (!part) throw new Error(`There is no ${name}: ${Object.keys(parts).join(', ')}`);
	console.log(`\n# ${name}`);
	await part();
}
process.exit();
