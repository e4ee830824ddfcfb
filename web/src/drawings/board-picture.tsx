// The drawing of a board: its own, that of its family, or an outline with the name of the type.
import { assetPath } from '../assets.ts';

/** The drawings, with their heights at a width of 376. */
const heights = {
	'arduino-uno': 268,
	'rp2040-pico': 160,
	esp32: 200,
	nrf52: 220,
	stm32: 220,
	'raspberry-pi': 250,
	other: 220,
};

type Drawing = keyof typeof heights;

const families: readonly [types: RegExp, drawing: Drawing][] = [
	[/^arduino-uno\b/, 'arduino-uno'],
	[/\bpico/, 'rp2040-pico'],
	[/^esp(32|8266)/, 'esp32'],
	[/^nrf5/, 'nrf52'],
	[/^(stm32|nucleo)/, 'stm32'],
	[/^(raspberry-pi|rpi)\b/, 'raspberry-pi'],
];

interface BoardPictureProps {
	boardType: string;
	/** The text for screen readers; empty where the name of the board is beside it. */
	label: string;
}

/** As wide as its container. */
export function BoardPicture({ boardType, label }: BoardPictureProps) {
	const drawing = drawingOf(boardType);
	return (
		<span class="board-picture">
			<img
				src={assetPath(`board-${drawing}.svg`)}
				alt={label}
				width={376}
				height={heights[drawing]}
			/>
			{drawing === 'other' && <span aria-hidden="true">{boardType}</span>}
		</span>
	);
}

export function drawingOf(boardType: string): Drawing {
	return families.find(([types]) => types.test(boardType))?.[1] ?? 'other';
}
