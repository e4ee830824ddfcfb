// What the holder of a lease can do with the board: flash a file, and the buttons of the board.
import { useContext } from 'hono/jsx';
import { Button, Filled, FormToken } from '../elements/form.tsx';

export const actionWords = {
	flash: 'Flash',
	erase: 'Erase',
	reset: 'Reset',
	power_on: 'Power on',
	power_off: 'Power off',
	power_cycle: 'Power cycle',
} as const;

const buttons = ['reset', 'power_cycle', 'power_off', 'power_on', 'erase'] as const;

interface ControlsProps {
	leaseId: string;
	/** The actions that the board supports; undefined if that is not known at the moment. */
	supported: readonly string[] | undefined;
}

export function Controls({ leaseId, supported }: ControlsProps) {
	const supports = (action: string) => !supported || supported.includes(action);
	const shown = buttons.filter(supports);
	const path = `/leases/${leaseId}/actions`;
	return (
		<div class="controls">
			{supports('flash') && <UploadForm path={`/leases/${leaseId}/flash`} />}
			{shown.length > 0 && (
				<form class="card board-buttons" method="post" action={path} data-stay>
					<FormToken />
					<h2>Board</h2>
					<p class="actions">
						{shown.map((action) => (
							<Button text={actionWords[action]} name="action" value={action} />
						))}
					</p>
				</form>
			)}
		</div>
	);
}

function UploadForm({ path }: { path: string }) {
	const { error } = useContext(Filled);
	const file = { id: 'firmware', name: 'firmware', 'aria-describedby': 'firmware-help' };
	return (
		<form class="card upload" method="post" action={path} enctype="multipart/form-data" data-upload>
			<FormToken />
			<div class="field">
				<label for="firmware">Firmware</label>
				<input type="file" required {...file} />
				<p class="help" id="firmware-help">
					Intel HEX, UF2 or ELF, at most 16 MiB. You can also drop the file here.
				</p>
			</div>
			{/* A file that was rejected might be a raw binary. */}
			<details open={error?.code === 'invalid_firmware'}>
				<summary>Raw binary</summary>
				<label>
					<input type="checkbox" name="raw" value="true" /> Raw binary: flash its bytes as they are
					(<code>raw=true</code>)
				</label>
				<div class="field">
					<label for="flash_offset">Flash offset</label>
					<input id="flash_offset" name="flash_offset" maxlength={12} autocomplete="off" />
				</div>
			</details>
			<progress max="100" value="0" hidden aria-label="Upload" />
			<Button text="Flash" look="primary" />
		</form>
	);
}
