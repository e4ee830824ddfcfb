// The one page that shows a key. It is answered to the form itself and stored nowhere.
import { boardsCall } from '../boards/calls.ts';
import { CodeBlock } from '../elements/code-block.tsx';
import { Icon } from '../elements/icon.tsx';
import { SameCall } from '../elements/same-call.tsx';

interface CreatedKeyProps {
	apiKey: string;
	label: string | null;
	baseUrl: string;
}

export function CreatedKey({ apiKey, label, baseUrl }: CreatedKeyProps) {
	return (
		<>
			<section class="card medium" data-one-time>
				<h1>{label === null ? 'Your new key' : `Your new key “${label}”`}</h1>
				<output class="callout important">
					<Icon name="alert" />
					<span>
						<strong>Copy it now.</strong> We keep only a fingerprint of it: this page is the only
						place that ever shows the key, and it is gone when you leave or reload.
					</span>
				</output>
				<h2>The key</h2>
				<CodeBlock id="new-key" what="the key" text={apiKey} />
				<h2>Ready for your shell</h2>
				<CodeBlock
					id="new-key-export"
					what="the export line"
					text={`export SERVICE_API_KEY=${apiKey}`}
				/>
				<p class="muted">
					In CI, store it as a secret with the name <code>SERVICE_API_KEY</code>. Should it ever
					leak, revoke it on the API keys page: it stops working at once.
				</p>
				<p class="actions">
					<a class="button primary" href="/keys">
						Done, I have stored it
					</a>
				</p>
			</section>
			<SameCall summary="Try it" call={boardsCall(baseUrl, { status: 'available' })} />
		</>
	);
}
