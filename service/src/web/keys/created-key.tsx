// The one page that shows a key. It is the response to the form itself and is stored nowhere.
import { CodeBlock } from '../elements/code-block.tsx';
import { Icon } from '../elements/icon.tsx';
import { Name } from '../elements/name.tsx';
import { shell } from '../elements/request-examples.ts';

interface CreatedKeyProps {
	apiKey: string;
	label: string | null;
	baseUrl: string;
}

export function CreatedKey({ apiKey, label, baseUrl }: CreatedKeyProps) {
	return (
		<section class="card medium" data-one-time>
			<h1>
				Your new key
				{label !== null && (
					<>
						{' '}
						“<Name>{label}</Name>”
					</>
				)}
			</h1>
			<output class="callout important">
				<Icon name="alert" />
				<span>
					<strong>Copy it now.</strong> The full key is shown only here. We store a fingerprint of
					it, so nobody can show it again after you leave or reload this page.
				</span>
			</output>
			<h2>The key</h2>
			<CodeBlock id="new-key" what="the key" text={apiKey} />
			<h2>Use it in your shell</h2>
			<p class="muted">
				The README of <code>board-access</code> describes how to install the command line.
			</p>
			<CodeBlock id="new-key-shell" what="the commands" text={shellCommands(apiKey, baseUrl)} />
			<h2>Use it in CI</h2>
			<p class="muted">
				Store the key as a secret with the name <code>SERVICE_API_KEY</code>, never in the
				repository. GitHub Actions, for example, after a step that installs the command line:
			</p>
			<CodeBlock id="new-key-ci" what="the CI steps" text={ciSteps(baseUrl)} />
			<p class="muted">
				If the key ever leaks, revoke it on the API keys page: it stops working immediately.
			</p>
			<p class="actions">
				<a class="button primary" href="/keys" data-stored>
					I have stored the key
				</a>
			</p>
		</section>
	);
}

function shellCommands(apiKey: string, baseUrl: string) {
	return `export SERVICE_BASE_URL=${shell(baseUrl)}
export SERVICE_API_KEY=${apiKey}
board-access boards list --status available`;
}

function ciSteps(baseUrl: string) {
	return `steps:
  - run: board-access boards list --status available
    env:
      SERVICE_BASE_URL: ${JSON.stringify(baseUrl)}
      SERVICE_API_KEY: \${{ secrets.SERVICE_API_KEY }}`;
}
