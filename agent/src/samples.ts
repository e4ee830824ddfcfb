// The entry `board-access-agent/samples`: small firmware for the emulated boards.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Board types that have sample firmware. */
export type SampleBoardType = 'arduino-uno' | 'rp2040-pico';

/** They print a greeting, echo lines in upper case, and have the commands `help`, `pass` and `fail`. */
const samples: Record<SampleBoardType, string> = {
	'arduino-uno': 'uno-sample.hex',
	'rp2040-pico': 'pico-sample.uf2',
};

/** The path of the sample firmware of a board type. */
export function sampleFirmwarePath(boardType: SampleBoardType): string {
	return fileURLToPath(inPackage(samples[boardType]));
}

/** The bytes of the sample firmware of a board type. */
export function sampleFirmware(boardType: SampleBoardType): Promise<Uint8Array> {
	return readFile(sampleFirmwarePath(boardType));
}

/** The bytes of a base image for an Arduino Uno: it prints a tick each second. */
export function sampleBaseImage(): Promise<Uint8Array> {
	return readFile(inPackage('uno-ticks.hex'));
}

function inPackage(name: string): URL {
	return new URL(`../firmware/${name}`, import.meta.url);
}
