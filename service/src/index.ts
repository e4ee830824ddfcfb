// The service as a library.
export type { Demo } from './demo.ts';
export { createService, type Service, type ServiceOptions } from './service.ts';
