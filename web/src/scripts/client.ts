// The client of the service, with the visitor's session in place of a key. A file of its own, so that the
// output of the board does not wait for it.
import { BoardAccess, type Fetch } from 'board-access';

export const client = new BoardAccess({
	apiKey: null,
	baseUrl: location.origin,
	// There is no key that others on the network could see.
	allowInsecureHttp: true,
	timeout: 15_000,
	fetch: (url, init) => (/\/files(\?|$)/.test(url) ? upload(url, init) : fetch(url, init)),
});

let onUpload: ((percent: number) => void) | undefined;

/** Calls a function with how much of a file was sent. */
export function watchUpload(onPercent: typeof onUpload) {
	onUpload = onPercent;
}

/** Like `fetch`, which does not report the progress of an upload. */
const upload: Fetch = (url, { method, headers, body = '', signal }) =>
	new Promise((resolve, reject) => {
		const request = new XMLHttpRequest();
		request.open(method, url);
		for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
		request.upload.addEventListener('progress', ({ loaded, total }) =>
			onUpload?.((loaded / total) * 100),
		);
		request.addEventListener('load', () => {
			const { status, responseText } = request;
			const lines = request.getAllResponseHeaders().trim().split('\r\n');
			const headers = new Headers();
			for (const line of lines) {
				const [name, value] = line.split(/: (.*)/s);
				if (name && value) headers.set(name, value);
			}
			resolve(new Response(responseText, { status, headers }));
		});
		for (const name of ['error', 'abort']) {
			request.addEventListener(name, () => reject(new TypeError('Failed to fetch')));
		}
		signal.addEventListener('abort', () => request.abort());
		request.send(body);
	});
