import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BoardPicture } from '../../../../web/src/drawings/board-picture.tsx';

test.each([
	['arduino-uno', 'arduino-uno'],
	['rp2040-pico', 'rp2040-pico'],
	['raspberry-pi-pico', 'rp2040-pico'],
	['esp32-s3', 'esp32'],
	['nrf52840-dk', 'nrf52'],
	['stm32-nucleo-f446re', 'stm32'],
	['raspberry-pi-4', 'raspberry-pi'],
	['arduino-unoq', 'other'],
	['fpga-board', 'other'],
])('a board of the type %s is drawn as %s', (boardType, drawing) => {
	const assets = readdirSync(new URL('../../../../web/src/assets', import.meta.url));

	expect(assets).toContain(`board-${drawing}.svg`);
	expect(picture(boardType)).toContain(`/board-${drawing}.svg"`);
});

test('the picture of a board without a drawing has the name of its type', () => {
	expect(picture('fpga<1>')).toContain('fpga&lt;1&gt;</span>');
	expect(picture('esp32')).not.toContain('esp32</span>');
});

function picture(boardType: string) {
	return String(<BoardPicture boardType={boardType} label="" />);
}
