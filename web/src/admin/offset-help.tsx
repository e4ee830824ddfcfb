// The flash offsets of common chips.
import { Table } from '../elements/list.tsx';

const usual = [
	{ chip: 'ESP32, ESP32-S2', bootloader: '0x1000', table: '0x8000', app: '0x10000' },
	{ chip: 'ESP32-S3, C3, C6, H2', bootloader: '0x0', table: '0x8000', app: '0x10000' },
	{ chip: 'ESP32-P4, C5', bootloader: '0x2000', table: '0x8000', app: '0x10000' },
];

export const offsetHelp = (
	<details class="hint">
		<summary>Which offset do I need?</summary>
		<p>
			The build prints it: ESP-IDF writes every offset to <code>build/flasher_args.json</code>.
			These are the offsets of Espressif chips with the default partition table:
		</p>
		<Table
			caption="Usual offsets"
			rows={usual}
			columns={[
				{ label: 'Chip', cell: ({ chip }) => chip, class: 'main-cell' },
				{ label: 'Bootloader', cell: ({ bootloader }) => <code>{bootloader}</code> },
				{ label: 'Partition table', cell: ({ table }) => <code>{table}</code> },
				{ label: 'Application', cell: ({ app }) => <code>{app}</code> },
			]}
		/>
		<p>
			<code>.hex</code>, <code>.elf</code> and <code>.uf2</code> files contain their addresses:
			leave <code>0x0</code>. To add a whole build at once,{' '}
			<code>board-access admin base-images import</code> reads <code>flasher_args.json</code>.
		</p>
	</details>
);
