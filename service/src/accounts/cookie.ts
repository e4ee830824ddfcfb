// The name by which the session cookie is known before any library is loaded to read it.
export const sessionCookiePrefix = 'board_access';

/** Whether a Cookie header may hold a session of ours. */
export const mayHoldSession = (cookie: string | null | undefined) =>
	cookie?.includes(`${sessionCookiePrefix}.session_token=`) ?? false;
