// Firmware that is chosen while a lease waits. Only a script can keep it.
import { Button } from '../../elements/form.tsx';
import { Icon } from '../../elements/text.tsx';
import { FirmwareFields } from '../workbench/controls.tsx';

export function WaitingFirmware() {
	return (
		<section class="card" data-waiting-firmware hidden>
			<h2>Flash when ready</h2>
			<form method="dialog" class="waiting-firmware">
				<FirmwareFields />
				<p>
					<Button text="Flash it when the board is ready" icon="flash" />
				</p>
			</form>
			<div class="waiting-file small" data-chosen hidden>
				<Icon name="flash" />
				<p>
					<strong /> <span class="muted" />
					<br />
					This page flashes it when the board is ready. If the page is closed then, it does so when
					you open the lease again in this browser.
				</p>
				<button type="button" class="button">
					Do not flash it
				</button>
			</div>
			<p class="field-error" role="alert" />
		</section>
	);
}
