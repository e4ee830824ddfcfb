// The chart of the plot: lines over the last seconds, and the marks of what was done.

const height = 220;

const agoText = (milliseconds) => {
	const seconds = Math.round(milliseconds / 1000);
	return seconds > 0 && `−${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/**
 * Draws it in its place. `columns` returns the times and the numbers of each of the series, `range` the
 * first and the last time that is shown, `endText` what is written at the last, and `marks` what was done, and when.
 */
export const drawChart = (UPlot, place, { series, columns, range, endText, marks }) => {
	const styleOf = (className) => {
		const probe = document.createElement('i');
		probe.className = className;
		place.append(probe);
		const { color } = getComputedStyle(probe);
		probe.remove();
		return color;
	};

	const drawMarks = (u) => {
		const { ctx, bbox } = u;
		ctx.save();
		ctx.strokeStyle = ctx.fillStyle = styleOf('plot-mark');
		ctx.font = u.axes[0].font[0];
		ctx.textAlign = 'right';
		ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
		const gap = 4 * devicePixelRatio;
		let taken = Number.NEGATIVE_INFINITY;
		for (const { time, text } of marks()) {
			const x = u.valToPos(time, 'x', true);
			if (x < bbox.left || x > bbox.left + bbox.width) continue;
			ctx.beginPath();
			ctx.moveTo(x, bbox.top);
			ctx.lineTo(x, bbox.top + bbox.height);
			ctx.stroke();
			// Where marks are close together, the first has its text.
			if (x - gap - ctx.measureText(text).width < taken) continue;
			ctx.fillText(text, x - gap, bbox.top + 10 * devicePixelRatio);
			taken = x;
		}
		ctx.restore();
	};

	const axis = {
		stroke: styleOf('plot-label'),
		ticks: { show: false },
		font: `11px ${getComputedStyle(place).fontFamily}`,
	};
	const grid = { stroke: styleOf('plot-grid'), width: 1 };
	const quarters = (_, __, min, max) => [0, 1, 2, 3, 4].map((n) => min + ((max - min) * n) / 4);
	const ago = ({ scales: { x } }, splits) =>
		splits.map((split) => agoText(x.max - split) || endText(x.max));
	const lineOf = ({ name, className }, index) => ({
		label: name,
		stroke: styleOf(className),
		width: 1.5,
		dash: index % 2 ? [4, 3] : undefined,
		spanGaps: true,
		points: { show: false },
	});
	const options = {
		width: place.clientWidth,
		height,
		legend: { show: false },
		cursor: { show: false },
		scales: { x: { time: false, range } },
		axes: [
			{ ...axis, grid: { show: false }, splits: quarters, values: ago, size: 24 },
			{ ...axis, grid, size: 44 },
		],
		series: [{}, ...series.map(lineOf)],
		hooks: { draw: [drawMarks] },
	};
	const plot = new UPlot(options, columns(), place);
	const sizes = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height }));
	sizes.observe(place);
	return {
		show: () => plot.setData(columns()),
		remove() {
			sizes.disconnect();
			plot.destroy();
		},
	};
};
