// Asks before a key is revoked. With JavaScript the same question opens as a dialog on the list.
import { Name } from '../elements/name.tsx';
import { SameRequest } from '../elements/same-request.tsx';
import { Time } from '../elements/time.tsx';
import type { ApiKey } from './keys-page.tsx';
import { revokeKeyRequest } from './requests.ts';

export function RevokeKey({ apiKey, baseUrl }: { apiKey: ApiKey; baseUrl: string }) {
	const { id, label, hint, created_at, last_used_at } = apiKey;
	return (
		<>
			<section class="card narrow" data-confirm-question>
				<h1 id="question">Revoke this key?</h1>
				<p class="lead">It stops working immediately, wherever it is used. You cannot undo this.</p>
				<dl class="facts">
					<dt>Label</dt>
					<dd>{label === null ? <span class="muted">No label</span> : <Name>{label}</Name>}</dd>
					<dt>Masked key</dt>
					<dd>
						<code>{hint}</code>
					</dd>
					<dt>Created</dt>
					<dd>
						<Time at={created_at} />
					</dd>
					<dt>Last used</dt>
					<dd>{last_used_at ? <Time at={last_used_at} /> : 'Never'}</dd>
					<dt>Identifier</dt>
					<dd>
						<code>{id}</code>
					</dd>
				</dl>
				<form method="post" action={`/keys/${id}/revoke`} class="actions">
					<a class="button" href="/keys" data-cancel autofocus>
						Keep the key
					</a>
					<button type="submit" class="button primary danger">
						Revoke key
					</button>
				</form>
			</section>
			<SameRequest examples={revokeKeyRequest(baseUrl, id)} />
		</>
	);
}
