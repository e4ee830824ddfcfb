// The console of a lease: what the board prints, the line to send to it, and the tools for both.
import { Button } from '../../elements/form.tsx';
import { Icon } from '../../elements/text.tsx';
import type { Lease } from '../status.tsx';

interface ConsoleProps {
	lease: Lease;
	/** The last output of the board. */
	text: string;
}

// In tab order: the console comes first, and the stylesheet puts the tools above it.
export function Console({ lease: { id, status, access }, text }: ConsoleProps) {
	const canType = status === 'active' && access !== 'look';
	return (
		<section class="console" aria-labelledby="console" data-console>
			<div class="console-body">
				<noscript>
					<p class="muted small">
						With JavaScript, this page shows the console as it goes on, and is what you type, flash
						and reset with. Without it, the page shows the last 64 KiB of the console; the download
						has all that is kept.
					</p>
				</noscript>
				<div class="console-view" data-console-view>
					<div class="console-gutter" data-gutter aria-hidden="true" hidden />
					<div class="live-terminal" data-screen />
					<button type="button" class="to-end row" data-to-end hidden>
						<Icon name="down" /> To the end
					</button>
				</div>
				<pre class="console-text" tabindex={0} data-console-text>
					<code>{text || (status === 'active' ? emptyTexts[access] : '')}</code>
				</pre>
			</div>
			<div class="strip warning" data-unsent hidden>
				<p role="status" />
				<Button type="button" text="Send again" data-send-again data-until-end />
				<Button type="button" text="Dismiss" data-dismiss />
			</div>
			{canType && <Entry />}
			<Tools id={id} canType={canType} />
			<div
				class="unseen"
				role="log"
				aria-label="Console output"
				aria-live="off"
				data-console-lines
			/>
		</section>
	);
}

const empty = 'The board has printed nothing yet.';
const emptyTexts = {
	look: empty,
	type: `${empty}\nPress Reset, or send a line.`,
	hold: `${empty}\nFlash firmware, press Reset, or send a line.`,
};

function Entry() {
	const field = { id: 'line', name: 'line', maxlength: 1000, 'aria-describedby': 'entry-help' };
	const typing = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false } as const;
	return (
		<form method="dialog" class="toolbar" data-console-input data-until-end>
			<label for="line">
				<Icon name="right" />
				<span class="unseen">Line to send</span>
			</label>
			<input {...field} {...typing} placeholder="Line to send" />
			<span class="muted small" id="entry-help" data-entry-help />
			<fieldset class="segments" data-modes hidden>
				<legend class="unseen">What is sent</legend>
				<label>
					<input type="radio" name="mode" value="lines" checked /> Lines
				</label>
				<label>
					<input type="radio" name="mode" value="keys" /> Keys
				</label>
			</fieldset>
		</form>
	);
}

function Tools({ id, canType }: { id: string; canType: boolean }) {
	return (
		<div class="console-head row">
			<h2 id="console">Console</h2>
			<search class="row" data-console-tools hidden>
				<Icon name="search" />
				<input
					type="search"
					placeholder="Find"
					aria-label="Find in the console"
					aria-keyshortcuts="Control+Shift+F"
					data-find
				/>
				<output data-find-count />
				<kbd>Ctrl Shift F</kbd>
			</search>
			<div class="tools" data-console-tools hidden>
				<button type="button" class="tool" aria-label="Time stamps" data-stamps>
					Time<span class="roomy"> stamps</span>
				</button>
				<select aria-label="Line ending" data-ending data-until-end hidden={!canType}>
					<option value="lf">LF</option>
					<option value="cr">CR</option>
					<option value="crlf">CR LF</option>
				</select>
				<button type="button" class="tool" data-clear>
					Clear
				</button>
			</div>
			<a class="tool" href={`/leases/${id}/console.txt`} download>
				Download
			</a>
		</div>
	);
}
