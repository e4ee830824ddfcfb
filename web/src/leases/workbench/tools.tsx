// What the tools of a user reach: a command for each, and the settings of the serial ports.
import { parities } from 'board-access-contract';
import { CodeBlock } from '../../elements/code.tsx';
import type { Lease } from '../status.tsx';

interface ToolsProps {
	lease: Lease;
	/** The names of the serial ports besides that of the console. */
	ports?: readonly string[] | undefined;
	debug?: boolean | undefined;
}

export function OwnTools({ lease, ports = [], debug = false }: ToolsProps) {
	const command = `board-access forward ${lease.id}${debug ? ' --serial --gdb' : ''}`;
	return (
		<section data-until-end>
			<h2>Your own tools</h2>
			<p class="muted small">
				Serial monitors, debuggers and flash tools on your machine use the board as if it were
				there:
			</p>
			<CodeBlock id="forward-command" what="the command" text={command} />
			<details data-port>
				<summary>Serial port</summary>
				<form method="dialog" class="port" data-port-settings>
					{ports.length > 0 && (
						<label>
							Port{' '}
							<select name="port">
								<option value="">console</option>
								{ports.map((name) => (
									<option>{name}</option>
								))}
							</select>
						</label>
					)}
					<label>
						Baud <input name="baud" type="number" min="1" max="20000000" required />
					</label>
					<label>
						Parity{' '}
						<select name="parity">
							{parities.map((parity) => (
								<option>{parity}</option>
							))}
						</select>
					</label>
					{['dtr', 'rts'].map((line) => (
						<label>
							<input type="checkbox" name={line} /> {line.toUpperCase()}
						</label>
					))}
					<output class="muted small" data-port-lines />
				</form>
				<pre class="port-output" data-port-output tabindex={0} hidden />
			</details>
		</section>
	);
}

/** Says why the board prints nothing. */
export function Halted({ lease: { status, halted_by } }: Pick<ToolsProps, 'lease'>) {
	if (status !== 'active' || halted_by === null) return null;
	return (
		<p class="strip">
			<span>
				<strong>Halted:</strong> the debugger of {halted_by} has stopped the processor. It prints
				nothing until it goes on.
			</span>
		</p>
	);
}
