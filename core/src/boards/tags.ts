// What a request says about the tags of a board: a value for each name, or null for any value.
import { sql } from 'kysely';

type WantedTags = Readonly<Record<string, string | null>>;

/** Whether a board has all of the wanted tags. Both are JSON, as rows hold them. */
export function hasTags(tags: string, wanted: string) {
	if (wanted === '{}') return true;
	return Object.entries<string | null>(JSON.parse(wanted)).every(([name, value]) => {
		const own = tagValue(tags, name);
		return own !== null && (value === null || own === value);
	});
}

/** The value of a tag; null without one. */
export function tagValue(tags: string, name: string): string | null {
	const all: Record<string, string | null> = JSON.parse(tags);
	return Object.hasOwn(all, name) ? (all[name] ?? null) : null;
}

/** The same in SQL, for each tag. */
export function havingTags(wanted: WantedTags) {
	return Object.entries(wanted).map(([name, value]) => havingTag(name, value));
}

/** Whether the tags, as this service writes them, have this name and value. */
export function havingTag(name: string, value: string | null) {
	const pair = JSON.stringify({ [name]: value ?? '' }).slice(1, value === null ? -3 : -1);
	// No quote follows a brace or a comma inside a JSON text, so these are the pair and nothing else.
	// Both databases replace by exact letters, where LIKE of SQLite ignores their case.
	return sql<boolean>`(replace(tags, ${`{${pair}`}, '') <> tags or replace(tags, ${`,${pair}`}, '') <> tags)`;
}
