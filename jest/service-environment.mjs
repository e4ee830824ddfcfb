import { createTestService } from 'board-access-service/testing';
import { TestEnvironment } from 'jest-environment-node';

export default class extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.service = await createTestService();
	}

	async teardown() {
		await this.global.service.close();
		await super.teardown();
	}
}
