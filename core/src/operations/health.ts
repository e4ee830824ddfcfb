// Whether the service can respond: its database, its schema and its clock.
import { sql } from 'kysely';
import type { Core } from '../core.ts';
import { describeSkew, maxSkew, skewOf } from '../database/clock.ts';
import { isDatabaseAway } from '../database/database.ts';
import { ApiError } from '../errors.ts';

export async function checkHealth({ database, checkSchema }: Core) {
	await sql`select 1`.execute(database.query);
	await checkSchema();
	const skew = skewOf(database.clock);
	if (Math.abs(skew) > maxSkew) {
		throw new ApiError('unavailable', describeSkew(skew), {
			hint: 'Synchronize the clocks of the replica and the database, for example with NTP.',
		});
	}
}

/** The error that users see. */
export function asApiError(error: Error) {
	if (error instanceof ApiError) return error;
	return isDatabaseAway(error)
		? new ApiError('unavailable', 'The database is busy or cannot be reached.')
		: new ApiError('internal', 'Something went wrong on our side.');
}
