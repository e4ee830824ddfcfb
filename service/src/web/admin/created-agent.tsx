// The one page that shows the token of an agent. It is the response to the form itself.
import { CodeBlock } from '../elements/code-block.tsx';
import { Icon } from '../elements/icon.tsx';
import { Name } from '../elements/name.tsx';

interface CreatedAgentProps {
	token: string;
	name: string;
	boards: { id: string; board_type: string }[];
	baseUrl: string;
}

export function CreatedAgent({ token, name, boards, baseUrl }: CreatedAgentProps) {
	return (
		<section class="card medium" data-one-time>
			<h1>
				Your new agent “<Name>{name}</Name>”
			</h1>
			<output class="callout important">
				<Icon name="alert" />
				<span>
					<strong>Copy the token now.</strong> It is shown only here. We store a fingerprint of it,
					so nobody can show it again after you leave or reload this page.
				</span>
			</output>
			<h2>The token</h2>
			<CodeBlock id="new-key" what="the token" text={token} />
			<h2>Configuration of the agent</h2>
			<p class="muted">
				On the machine next to the hardware: store the token in a file that only the agent can read,
				and set the driver of each board.
			</p>
			<CodeBlock id="agent-config" what="the configuration" text={configuration(baseUrl, boards)} />
			<h2>Start it</h2>
			<p class="muted">
				The README of <code>board-access-agent</code> describes how to install it.
			</p>
			<CodeBlock id="agent-start" what="the commands" text={commands} />
			<p class="actions">
				<a class="button primary" href="/admin/agents" data-stored>
					I have stored the token
				</a>
			</p>
		</section>
	);
}

const commands = `board-access-agent check --config agent.yaml
board-access-agent start --config agent.yaml`;

// JSON strings are YAML strings.
function configuration(baseUrl: string, boards: CreatedAgentProps['boards']) {
	const entries = boards.map(
		({ id, board_type }) => `  - id: ${JSON.stringify(id)}
    type: ${JSON.stringify(board_type)}
    driver: emulated   # or command, for a real board`,
	);
	return `service: ${JSON.stringify(baseUrl)}
token_file: ./token
boards:${entries.length > 0 ? `\n${entries.join('\n')}` : ' []'}`;
}
