// The picture of the board of a lease, for the page of the lease.
import { pictureType } from 'board-access-contract';
import { ApiError, lookAt } from 'board-access-core';
import { confirmedAfter } from 'board-access-http/confirm';
import { completeResponse } from 'board-access-http/headers';
import type { MemberVisit } from '../pages.tsx';
import { viewerOf } from './viewer.ts';

export async function showPicture(visit: MemberVisit) {
	const { c, services, account } = visit;
	const { lease } = await viewerOf(visit);
	const look = () => lookAt(services, lease, c.req.raw.signal);
	const picture = await confirmedAfter(c, () => services.limits.wait(account.id, look));
	const type = picture && pictureType(picture);
	if (!type) throw new ApiError('not_found', 'There is no picture of this board now.');
	return completeResponse({
		body: new Uint8Array(picture),
		status: 200,
		headers: { 'content-type': type, 'cross-origin-resource-policy': 'same-origin' },
		requestId: c.get('requestId'),
	});
}
