// The bindings of a handler.
import type { HttpBindings } from '@hono/node-server';
import type { ApiError } from 'board-access-core';
import type { Context, Hono } from 'hono';

/** The methods that routes can have. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export interface Environment {
	Variables: {
		requestId: string;
		/** The fields of a form, once they have been read. */
		form?: URLSearchParams;
		/** What the form of a page contains, and why it was rejected. */
		filled?: { values: Record<string, string>; error?: ApiError };
		/** What a form has done, for the page that follows. */
		notice?: string;
		/** Rejects if the credential of the request was revoked since the request was authenticated. */
		confirmCaller?: () => Promise<void>;
	};
	/** Absent when the service is called in-process. */
	Bindings: Partial<HttpBindings>;
}

export type ServiceContext = Context<Environment>;
export type ServiceApp = Hono<Environment>;
