// Who sends a request.

export interface Credential {
	key?: string;
	/** Of a browser, instead of a key. */
	cookie?: string;
}

/** The header that contains it. */
export function credentialOf({ key, cookie }: Credential) {
	return key ? `Authorization: Bearer ${key}` : `Cookie: ${cookie ?? ''}`;
}
