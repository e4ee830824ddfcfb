// Loaded with the first lease or watch. In one file, because each more splits the code that all share.
export { watchChanges, watchList } from './http/watch.ts';
export { createGroup, createLease } from './leases/create.ts';
export { getLease } from './leases/lease.ts';
