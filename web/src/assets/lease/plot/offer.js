// Loads the plot when the console may show numbers.
const mayHaveNumbers = /^[^a-z]*[-+.\d]|[:=]\s*[-+.\d]/i;
const maxUnplotted = 2_000;

/** The plot, also before it is loaded. */
export const offerPlot = () => {
	let unplotted = [];
	let plot;
	let loading;
	let clock = { skew: 0 };

	const load = async () => {
		const { startPlot } = await import('./plot.js');
		plot = startPlot();
		plot?.setClock(clock);
		for (const { line, mark } of unplotted) line ? plot?.add(line) : plot?.mark(mark);
		unplotted = [];
	};

	return {
		add(line) {
			if (plot) return plot.add(line);
			if (!loading && !mayHaveNumbers.test(line.text)) return;
			unplotted = [...unplotted, { line }].slice(-maxUnplotted);
			loading ??= load();
		},
		/** How far the clock of this browser is behind that of the service, and whether the lease has ended. */
		setClock(known) {
			clock = known;
			plot?.setClock(clock);
		},
		mark(mark) {
			if (plot) plot.mark(mark);
			else unplotted.push({ mark });
		},
		restart() {
			unplotted = [];
			plot?.restart();
		},
	};
};
