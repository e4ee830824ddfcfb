// Asks before a key is revoked, for browsers without scripts and for links.
import { SameCall } from '../elements/same-call.tsx';
import { Time } from '../elements/time.tsx';
import { revokeKeyCall } from './calls.ts';
import type { ApiKey } from './list.tsx';

export function RevokeKey({ apiKey, baseUrl }: { apiKey: ApiKey; baseUrl: string }) {
	const { id, label, hint, created_at, last_used_at } = apiKey;
	return (
		<>
			<section class="card narrow">
				<h1>Revoke this key?</h1>
				<p class="lead">It stops working at once, everywhere it is used. This cannot be undone.</p>
				<dl class="facts">
					<dt>Label</dt>
					<dd>{label ?? <span class="muted">No label</span>}</dd>
					<dt>Hint</dt>
					<dd>
						<code>{hint}</code>
					</dd>
					<dt>Created</dt>
					<dd>
						<Time at={created_at} />
					</dd>
					<dt>Last used</dt>
					<dd>{last_used_at ? <Time at={last_used_at} /> : 'Never'}</dd>
				</dl>
				<form method="post" action={`/keys/${id}/revoke`} class="actions">
					<button type="submit" class="button primary danger">
						Revoke key
					</button>
					<a class="button" href="/keys">
						Keep it
					</a>
				</form>
			</section>
			<SameCall call={revokeKeyCall(baseUrl, id)} />
		</>
	);
}
