// Builds the sample firmware, and that of the tests. Debian: apt install gcc-avr avr-libc gcc-arm-none-eabi
// Then: node agent/firmware/build.ts. The built files are kept in the repository.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const at = (name: string) => new URL(name, import.meta.url).pathname;

const unoChip = ['-mmcu=atmega328p', '-DF_CPU=16000000UL', '-std=c99', '-Wall', '-Wextra'];
const picoChip = [
	...['-mcpu=cortex-m0plus', '-mthumb', '-ffreestanding', '-nostdlib', '-Wall'],
	...['-T', at('pico.ld')],
];

const work = mkdtempSync(join(tmpdir(), 'firmware-'));
try {
	buildUno('uno-sample');
	buildUno('uno-ticks');
	buildUno('uno-pins');
	buildPico('pico-sample');
	buildPico('pico-pins');
	buildForDebugger('avr-gcc', 'uno-debug', unoChip);
	buildForDebugger('arm-none-eabi-gcc', 'pico-debug', [...picoChip, '-Wl,-e,start']);
} finally {
	rmSync(work, { recursive: true });
}

/** With symbols and relative paths, in a format that GDB for AVR reads correctly. */
function buildForDebugger(compiler: string, name: string, options: readonly string[]): void {
	const folder = at('../test/firmware');
	const symbols = [
		'-Og',
		'-gdwarf-4',
		'-gno-record-gcc-switches',
		`-fdebug-prefix-map=${folder}=.`,
	];
	const output = ['-o', `${name}.elf`, `${name}.c`];
	execFileSync(compiler, [...options, ...symbols, ...output], { cwd: folder });
}

function buildUno(name: string): void {
	const elf = join(work, `${name}.elf`);
	execFileSync('avr-gcc', [...unoChip, '-Os', '-o', elf, at(`${name}.c`)]);
	execFileSync('avr-objcopy', ['-O', 'ihex', elf, at(`${name}.hex`)]);
}

function buildPico(name: string): void {
	const elf = join(work, `${name}.elf`);
	execFileSync('arm-none-eabi-gcc', [...picoChip, '-Os', '-o', elf, at(`${name}.c`)]);
	const binary = join(work, `${name}.bin`);
	execFileSync('arm-none-eabi-objcopy', ['-O', 'binary', elf, binary]);
	writeFileSync(at(`${name}.uf2`), uf2(readFileSync(binary)));
}

/** UF2 blocks for an RP2040, from the start of its flash. */
function uf2(binary: Buffer): Buffer {
	const count = Math.ceil(binary.length / 256);
	return Buffer.concat(
		Array.from({ length: count }, (_, index) => {
			const block = Buffer.alloc(512);
			const head = [0x0a324655, 0x9e5d5157, 0x2000, 0x10000000 + index * 256, 256, index, count];
			for (const [position, word] of [...head, 0xe48bff56].entries()) {
				block.writeUInt32LE(word, position * 4);
			}
			binary.copy(block, 32, index * 256, index * 256 + 256);
			block.writeUInt32LE(0x0ab16f30, 508);
			return block;
		}),
	);
}
