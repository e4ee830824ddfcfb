// Who sends a request.

export interface Credential {
	key?: string;
	/** Of a browser, instead of a key. */
	cookie?: string;
}

/** The line of a request that says so. */
export function credentialOf({ key, cookie }: Credential) {
	return key ? `Authorization: Bearer ${key}` : `Cookie: ${cookie ?? ''}`;
}
