// Who sends a request.

export interface Credential {
	key?: string;
	/** The session cookie of a browser, instead of a key. */
	cookie?: string;
}

/** The header line that authenticates the request. */
export function credentialOf({ key, cookie }: Credential) {
	return key ? `Authorization: Bearer ${key}` : `Cookie: ${cookie ?? ''}`;
}
