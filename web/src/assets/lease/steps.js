// Waits for the end of an action, which the steps on the page show.
const awaited = new Map();

/** Checks the steps on the page. */
export const settle = () => {
	for (const [action, { resolve, onProgress }] of awaited) {
		const step = document.getElementById(action);
		if (step?.dataset.progress) onProgress?.(step.dataset.progress);
		if (!step?.matches('.step-done, .step-failed')) continue;
		awaited.delete(action);
		resolve(step);
	}
};

/** Resolves with the step of an action when it has ended. */
export const finished = (action, onProgress) =>
	new Promise((resolve) => {
		awaited.set(action, { resolve, onProgress });
		settle();
	});
