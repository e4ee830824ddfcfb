// What the holder of a lease can do: flash a file, the buttons of the board, renew and release.
import { Button, ButtonLink, Field } from '../../elements/form.tsx';
import { Icon, Name } from '../../elements/text.tsx';
import type { Lease } from '../status.tsx';
import { isEndingSoon } from './lease-facts.tsx';

export const actionWords = {
	flash: 'Flash',
	erase: 'Erase',
	reset: 'Reset',
	power_on: 'Power on',
	power_off: 'Power off',
	power_cycle: 'Power cycle',
} as const;

interface ActionTextProps {
	action: keyof typeof actionWords;
	name: string | null;
}

/** The name of a step says what it does, unless it is the name of firmware. */
export function ActionText({ action, name }: ActionTextProps) {
	if (!name) return actionWords[action];
	return [action === 'flash' && `${actionWords.flash} `, <Name>{name}</Name>];
}

const powerActions = ['power_cycle', 'power_on', 'power_off'] as const;

interface ControlsProps {
	lease: Lease;
	/** Credits per minute. */
	rate: number;
	/** Whether the visitor is an administrator who watches. */
	watches: boolean;
	/** The actions that the board supports; undefined while that is unknown. */
	supported: readonly string[] | undefined;
}

export function Controls({ lease, rate, watches, supported }: ControlsProps) {
	const { id, status, board_id, access } = lease;
	const isHeld = access === 'hold';
	const canDo = (action: string) => isHeld || (access === 'type' && action === 'reset');
	const supports = (action: string) => canDo(action) && (!supported || supported.includes(action));
	return (
		<div
			class={isEndingSoon(lease) ? 'lease-actions soon' : 'lease-actions'}
			id="actions"
			tabindex={-1}
		>
			{status === 'active' && supports('flash') && <UploadForm erases={supports('erase')} />}
			{status === 'active' && <BoardButtons supports={supports} />}
			{status === 'active' && isHeld && (
				<div class="actions renew">
					<Button icon="plus" text="10 min" data-do="renew">
						{rate > 0 && <span class="renew-price">, {rate * 10} credits</span>}
					</Button>
				</div>
			)}
			{status === 'ended' ? (
				<ButtonLink
					href={board_id ? `/boards/${encodeURIComponent(board_id)}` : '/boards'}
					icon="board"
					text="Use it again"
					look="primary"
				/>
			) : (
				isHeld && (
					<form class="actions release" method="post" action={`/leases/${id}/release`}>
						<Button icon="release" text="Release" look="danger" />
					</form>
				)
			)}
			{status !== 'ended' && watches && (
				<ButtonLink href={`/admin/leases/${id}/end`} text="End the lease…" look="danger" />
			)}
		</div>
	);
}

function BoardButtons({ supports }: { supports: (action: string) => boolean }) {
	const power = powerActions.filter(supports);
	if (!supports('reset') && power.length === 0) return null;
	return (
		<div class="actions board-buttons">
			{supports('reset') && <Button icon="reset" text="Reset" data-do="reset" />}
			{power.length > 0 && (
				<details class="menu" data-do="power">
					<summary class="button">
						<Icon name="power" />
						Power
						<Icon name="down" />
					</summary>
					<div class="menu-body">
						{power.map((action) => (
							<button type="button" data-do={action}>
								{actionWords[action]}
							</button>
						))}
					</div>
				</details>
			)}
		</div>
	);
}

function UploadForm({ erases }: { erases: boolean }) {
	return (
		<>
			<form method="dialog" class="actions flash" data-upload>
				<button type="button" class="button primary" data-choose>
					<Icon name="flash" />
					<span data-flash-text>Flash…</span>
				</button>
				<details class="menu">
					<summary class="button primary">
						<Icon name="flash" />
						<span class="flash-word">Flash…</span>
						<span class="unseen">options</span>
						<Icon name="down" />
					</summary>
					<div class="menu-body flash-body">
						<p class="field-error" role="alert" data-rejection hidden />
						<FirmwareFields />
						<p class="actions">
							<Button text="Flash" look="primary" />
							{erases && <Button type="button" text="Erase…" look="danger" data-do="ask" />}
						</p>
					</div>
				</details>
			</form>
			{erases && <EraseQuestion />}
		</>
	);
}

function EraseQuestion() {
	return (
		<dialog aria-labelledby="erase">
			<h1 id="erase">Erase the flash of the board?</h1>
			<p class="lead">Its firmware and everything else in the flash are lost.</p>
			<form method="dialog" class="actions">
				<Button text="Cancel" />
				<Button type="button" text="Erase" look="primary danger" data-do="erase" />
			</form>
		</dialog>
	);
}

function FirmwareFields() {
	const help = (
		<>
			Intel HEX, UF2 or ELF, at most 16 MiB.{' '}
			<span class="can-drop">You can also drop the file on the page.</span>
		</>
	);
	return (
		<>
			<Field name="firmware" label="Firmware" help={help} input={{ type: 'file' }} />
			<label>
				<input type="checkbox" name="raw" value="true" /> Raw binary: flash the bytes of a file that
				is neither Intel HEX, UF2 nor ELF (<code>raw=true</code>)
			</label>
			<Field name="flash_offset" label="Flash offset" input={{ required: false, maxlength: 12 }} />
		</>
	);
}
