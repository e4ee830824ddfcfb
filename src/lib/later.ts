// What few programs use: one file of the build, loaded with the first use of any of it.

export { listActivity } from './activity/list.ts';
export { baseImages } from './admin/base-images.ts';
export { adminBoards } from './admin/boards.ts';
export { getBoard, waitForBoards } from './boards/requests.ts';
export { explain } from './explain.ts';
export { apiKeys } from './keys/requests.ts';
export { createLease, getLease } from './leases/lease.ts';
export { listLeases } from './leases/list.ts';
export { rawRequest } from './raw-request.ts';
