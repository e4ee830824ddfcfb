// For tests of code that talks to the service: the service in memory.
import { createService, type Service, type ServiceOptions } from './service.ts';

/** The service in memory, filled with samples. */
export const createTestService = (options: ServiceOptions = {}): Promise<Service> =>
	createService({ demo: true, ...options });
