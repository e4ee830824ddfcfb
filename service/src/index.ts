// The service as a library.
export type { Demo } from './demo/seed.ts';
export { createService, type Service, type ServiceOptions } from './service.ts';
