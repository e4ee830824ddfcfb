// A page that shows a secret once. It is the response to the form itself and is stored nowhere.
import type { Child } from 'hono/jsx';
import { CodeBlock } from './code-block.tsx';
import { Icon } from './icon.tsx';
import { Name } from './name.tsx';

interface OneTimeProps {
	title: string;
	/** What the secret is for, as its owner calls it. */
	name: string | null;
	/** What the secret is. */
	noun: 'key' | 'token';
	secret: string;
	back: string;
	/** How it is used. */
	children: Child;
}

export function OneTime({ title, name, noun, secret, back, children }: OneTimeProps) {
	return (
		<section class="card medium" data-one-time>
			<h1>
				{title}
				{name !== null && (
					<>
						{' '}
						“<Name>{name}</Name>”
					</>
				)}
			</h1>
			<output class="callout important">
				<Icon name="alert" />
				<span>
					<strong>{`Copy the ${noun} now.`}</strong> It is shown only here. We store a fingerprint
					of it, so nobody can show it again after you leave or reload this page.
				</span>
			</output>
			<h2>{`The ${noun}`}</h2>
			<CodeBlock id="new-key" what={`the ${noun}`} text={secret} />
			{children}
			<p class="actions">
				<a class="button primary" href={back} data-stored>
					{`I have stored the ${noun}`}
				</a>
			</p>
		</section>
	);
}
