// The short script: imports, or calls once, and says how long that took. Plain JavaScript, so that
// no time goes into stripping types.
const [kind, what, origin] = process.argv.slice(2);
const startedAt = performance.now();
if (kind === 'touch') new globalThis[what]('http://localhost');
if (kind === 'import') await import(what);
if (kind === 'require') process.getBuiltinModule('module').createRequire(import.meta.url)(what);
if (kind === 'answer') {
	const { peers } = await import('./peers.generated.mjs');
	const list = await peers.find(({ name }) => name === what).open({ origin });
	await list(20);
}
const inside = performance.now() - startedAt;
const { user, system } = process.cpuUsage();
process.stdout.write(JSON.stringify({ inside, cpu: (user + system) / 1000 }), () => process.exit());
