// The second file of the build: what a program without these namespaces does not load.

export { createActivity } from './activity/list.ts';
export { createBaseImages } from './admin/base-images.ts';
export { createAdminBoards } from './admin/boards.ts';
export { waitForBoards } from './boards/wait.ts';
export { createKeys } from './keys/requests.ts';
export { createLeases } from './leases/leases.ts';
