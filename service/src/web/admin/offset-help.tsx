// The flash offsets of common chips.

const usual = [
	['ESP32, ESP32-S2', '0x1000', '0x8000', '0x10000'],
	['ESP32-S3, C3, C6, H2', '0x0', '0x8000', '0x10000'],
	['ESP32-P4, C5', '0x2000', '0x8000', '0x10000'],
] as const;

export function OffsetHelp() {
	return (
		<details class="hint">
			<summary>Which offset do I need?</summary>
			<p>
				The build prints it: ESP-IDF writes every offset to <code>build/flasher_args.json</code>.
				These are the offsets of Espressif chips with the default partition table:
			</p>
			<section class="table-scroll" tabindex={0} aria-label="Usual offsets">
				<table>
					<thead>
						<tr>
							<th scope="col">Chip</th>
							<th scope="col">Bootloader</th>
							<th scope="col">Partition table</th>
							<th scope="col">Application</th>
						</tr>
					</thead>
					<tbody>
						{usual.map(([chip, ...offsets]) => (
							<tr>
								<th scope="row">{chip}</th>
								{offsets.map((offset) => (
									<td>
										<code>{offset}</code>
									</td>
								))}
							</tr>
						))}
					</tbody>
				</table>
			</section>
			<p>
				<code>.hex</code>, <code>.elf</code> and <code>.uf2</code> files contain their addresses:
				leave <code>0x0</code>. To add a whole build at once,{' '}
				<code>board-access admin base-images import</code> reads <code>flasher_args.json</code>.
			</p>
		</details>
	);
}
