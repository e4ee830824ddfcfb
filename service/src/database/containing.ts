// The search condition for both databases.
import { type RawBuilder, sql } from 'kysely';

/** Whether a lower-case text of a row contains what is sought. */
export function containing(lowerCase: RawBuilder<unknown>, sought: string) {
	const pattern = `%${sought.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
	return sql<boolean>`${lowerCase} like ${pattern} escape '\\'`;
}
