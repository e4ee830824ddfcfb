// A certificate that nobody has signed, for servers of tests.
import { spawnSync } from 'node:child_process';

/** Undefined where openssl is not installed. */
export function certificateFor(address: string) {
	const { error, stdout } = spawnSync(
		'openssl',
		'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test -keyout - -addext'
			.split(' ')
			.concat(`subjectAltName=IP:${address}`),
		{ encoding: 'utf8' },
	);
	return error ? undefined : { key: stdout, cert: stdout };
}
