// Takes a picture of a board: a still image, or one frame of an MJPEG stream.
import { maxPictureBytes, pictureType } from 'board-access-contract';

/** Room for the headers of a part of a stream. */
const maxBytes = maxPictureBytes + 4096;

/** Rejects if the camera sends anything but one picture, or redirects. */
export async function takePicture(address: string, signal: AbortSignal) {
	const response = await request(address, signal);
	if (!response.ok) throw new Error(`The camera responded with status ${response.status}`);
	const picture = await readPicture(response);
	if (picture.length > maxPictureBytes) throw tooLarge();
	if (!pictureType(picture)) throw new Error('The camera sent neither a JPEG nor a PNG image');
	return picture;
}

function request(address: string, signal: AbortSignal) {
	const url = new URL(address);
	const { username, password } = url;
	const credentials = [username, password].map(decodeURIComponent).join(':');
	// fetch rejects an address with credentials.
	[url.username, url.password] = ['', ''];
	const headers: HeadersInit = username
		? { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
		: {};
	return fetch(url, { headers, redirect: 'error', signal });
}

async function readPicture({ headers, body }: Response) {
	const type = headers.get('content-type') ?? '';
	const boundary = /^multipart\/.*boundary="?-*([^";]+)/i.exec(type)?.[1];
	const bytes = Buffer.alloc(maxBytes);
	let length = 0;
	for await (const chunk of body ?? []) {
		if (length + chunk.length > maxBytes) throw tooLarge();
		bytes.set(chunk, length);
		length += chunk.length;
		const frame = boundary && firstPart(bytes.subarray(0, length), `--${boundary}`);
		if (frame) return frame;
	}
	return bytes.subarray(0, length);
}

/** Ends where the next frame begins, because not every camera sends the length. */
function firstPart(bytes: Buffer<ArrayBuffer>, mark: string) {
	const head = bytes.indexOf('\r\n\r\n', Math.max(0, bytes.indexOf(mark)));
	const end = head < 0 ? -1 : bytes.indexOf(mark, head);
	return end < 0 ? undefined : bytes.subarray(head + 4, end);
}

function tooLarge() {
	return new Error(`The picture is larger than ${maxPictureBytes / 1024} KiB`);
}
