// What src/leases.ts loads with the first use of leases.
export { createLease, getLease } from './lease.ts';
export { readLease } from './records.ts';
