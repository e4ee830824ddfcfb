import { defineConfig } from '@playwright/test';

export default defineConfig({
	tsconfig: './tsconfig.json',
	testMatch: '*.playwright.ts',
	globalSetup: './service.ts',
	workers: 2,
});
