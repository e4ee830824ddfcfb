// The second file of the build: what a program without these namespaces does not load.

export { createActivity } from './activity/activity.ts';
export { createBaseImages } from './base-images/base-images.ts';
export { createAdminBoards } from './boards/admin.ts';
export { waitForBoards } from './boards/wait.ts';
export { createKeys } from './keys/keys.ts';
export { createLeases } from './leases/leases.ts';
