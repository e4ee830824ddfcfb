// The public types, checked by the compiler.
import type { Page } from '@playwright/test';
import {
	type ActivityEntry,
	type Admin,
	type AnyBoardAccessError,
	type AnyLease,
	type ApiError,
	type ApiKey,
	type ApiKeyInput,
	type BaseImage,
	type BaseImageInput,
	type BaseImages,
	type BaseImageUpdate,
	type Board,
	BoardAccess,
	type BoardStatus,
	type BoardUpdate,
	type ClientErrorCode,
	type CreatedApiKey,
	type ErrorCode,
	isApiError,
	isBoardAccessError,
	type Keys,
	type Lease,
	type LeaseAction,
	type LeaseAttachOptions,
	type LeaseEndedError,
	type LeaseRecord,
	type Leases,
	Listing,
	type RawResponse,
	type RenewedLease,
	type ResponseInfo,
	type RotatedApiKey,
	responseOf,
	type ScenarioStep,
} from 'board-access';
import { boardTest as nodeTestBoard } from 'board-access/node-test';
import { boardTest as playwrightBoard } from 'board-access/playwright';
import { boardTest as vitestBoard } from 'board-access/vitest';
import type {
	activityEntry,
	apiKey,
	baseImage,
	board,
	lease,
	leaseAction,
	renewedLease,
} from 'board-access-contract';
import { describe, expectTypeOf, it } from 'vitest';
import { call } from '../src/http/call.ts';
import { createListing } from '../src/http/list.ts';
import type { RequestFunction } from '../src/http/request.ts';
import { type Received, recordReader, type Shape } from '../src/records/records.ts';

const client = new BoardAccess({ apiKey: null, baseUrl: 'http://localhost' });

type Frozen<Type> = Type extends object
	? { readonly [Name in keyof Type]: Frozen<Type[Name]> }
	: Type;
type FromWire<Schema extends { shape: Shape }> = Frozen<Received<Schema['shape']>>;

describe('records', () => {
	it('are those of the contract', () => {
		expectTypeOf<Omit<ApiKey, 'scope'>>().toEqualTypeOf<Omit<FromWire<typeof apiKey>, 'scope'>>();
		expectTypeOf<string>().toExtend<NonNullable<ApiKey['scope']>>();
		expectTypeOf<Omit<Board, 'status'>>().toEqualTypeOf<Omit<FromWire<typeof board>, 'status'>>();
		expectTypeOf<Omit<BaseImage, 'action'>>().toEqualTypeOf<
			Omit<FromWire<typeof baseImage>, 'action'>
		>();
		expectTypeOf<
			Omit<LeaseRecord, 'status' | 'access' | 'endReason' | 'consoleStatus'>
		>().toEqualTypeOf<
			Omit<FromWire<typeof lease>, 'status' | 'access' | 'endReason' | 'consoleStatus'>
		>();
		expectTypeOf<Omit<LeaseAction, 'action' | 'phase' | 'status'>>().toEqualTypeOf<
			Omit<FromWire<typeof leaseAction>, 'action' | 'phase' | 'status'>
		>();
		expectTypeOf<Omit<ActivityEntry, 'kind' | 'via'>>().toEqualTypeOf<
			Omit<FromWire<typeof activityEntry>, 'kind' | 'via'>
		>();
		expectTypeOf<RenewedLease['latestExpiresAt']>().toEqualTypeOf<
			FromWire<typeof renewedLease>['latestExpiresAt']
		>();
		expectTypeOf<Exclude<keyof FromWire<typeof renewedLease>, keyof RenewedLease>>().toBeNever();
		expectTypeOf<Lease>().toExtend<LeaseRecord>();
		expectTypeOf<Lease['signal']>().toEqualTypeOf<AbortSignal>();
		expectTypeOf<Lease['ended']>().toEqualTypeOf<Promise<LeaseRecord>>();
		expectTypeOf<Leases['attach']>().parameter(1).toEqualTypeOf<LeaseAttachOptions | undefined>();
		expectTypeOf<LeaseRecord['status']>().toEqualTypeOf<
			FromWire<typeof lease>['status'] | (string & {})
		>();
		expectTypeOf<'available'>().toExtend<NonNullable<Board['status']>>();
		expectTypeOf<string>().toExtend<NonNullable<Board['status']>>();
		expectTypeOf<string>().toExtend<NonNullable<BaseImage['action']>>();
	});

	it('cannot be changed', () => {
		const board = {} as Board;
		// @ts-expect-error records are what the service has sent
		board.status = 'offline';
		// @ts-expect-error and so is what is in them
		board.tags.rack = 'b3';
	});

	it('of a lease in hand have a board and times', () => {
		expectTypeOf(client.leases.create).returns.resolves.toEqualTypeOf<Lease>();
		expectTypeOf<Lease['boardId' | 'startedAt' | 'expiresAt']>().toBeString();
		expectTypeOf<Lease>().toExtend<AnyLease>();
		expectTypeOf(client.leases.get).returns.resolves.toEqualTypeOf<AnyLease>();
		expectTypeOf<AnyLease['boardId']>().toEqualTypeOf<string | null>();
		expectTypeOf<Lease['renew']>().returns.resolves.toEqualTypeOf<RenewedLease>();
	});

	it('can be sent back as input', () => {
		expectTypeOf<keyof BaseImageInput>().toEqualTypeOf<
			Exclude<keyof BaseImage, 'id' | 'createdAt'>
		>();
	});
});

describe('calls', () => {
	it('return what their types say', () => {
		expectTypeOf(client.boards.list).returns.toEqualTypeOf<Listing<Board>>();
		expectTypeOf(client.keys.list).returns.toEqualTypeOf<Listing<ApiKey>>();
		expectTypeOf(client.keys.create).returns.resolves.toEqualTypeOf<CreatedApiKey>();
		expectTypeOf(client.keys.rotate).returns.resolves.toEqualTypeOf<RotatedApiKey>();
		expectTypeOf(client.keys.revoke).returns.resolves.toEqualTypeOf<{
			readonly id: string;
			readonly revokedAt?: string;
		}>();
		expectTypeOf(client.admin.baseImages.create).returns.resolves.toEqualTypeOf<BaseImage>();
		expectTypeOf(client.request({ method: 'GET', path: '/x' })).resolves.toBeUnknown();
		expectTypeOf(client.request<5>({ method: 'GET', path: '/x' })).resolves.toEqualTypeOf<5>();
		expectTypeOf(
			client.request({ method: 'GET', path: '/x', as: 'text' }),
		).resolves.toEqualTypeOf<string>();
		expectTypeOf(
			client.request<5>({ method: 'GET', path: '/x', as: 'response' }),
		).resolves.toEqualTypeOf<RawResponse<5>>();
		expectTypeOf(client.withOptions).returns.toEqualTypeOf<BoardAccess>();
		expectTypeOf<Awaited<Listing<Board>>>().toEqualTypeOf<Board[]>();
		expectTypeOf(responseOf).returns.toEqualTypeOf<ResponseInfo | undefined>();
	});

	it('can be replaced by objects with only the used methods', () => {
		const fake = {
			boards: {
				list: () => Listing.of<Board>([]),
				get: async (id: string) => ({ id }) as Board,
				waitFor: async () => [],
				async *watch() {},
			},
		};
		expectTypeOf(fake).toExtend<Pick<BoardAccess, 'boards'>>();
		expectTypeOf<Keys>().toEqualTypeOf<BoardAccess['keys']>();
		expectTypeOf<Admin['baseImages']>().toEqualTypeOf<BaseImages>();
	});

	it('accept what they return', () => {
		expectTypeOf<ApiKey['label']>().toExtend<ApiKeyInput['label']>();
		expectTypeOf<ApiKey['expiresAt']>().toExtend<ApiKeyInput['expiresAt']>();
		expectTypeOf(client.admin.baseImages.create).toBeCallableWith({} as BaseImage);
		expectTypeOf<Omit<BaseImage, 'action'>>().toExtend<Omit<BaseImageUpdate, 'action'>>();
		expectTypeOf<Board>().toExtend<BoardUpdate>();
	});

	it('accept only the two actions', () => {
		expectTypeOf<BaseImageInput['action']>().toEqualTypeOf<'flash' | 'erase'>();
		// @ts-expect-error no other action
		client.admin.baseImages.create({ action: 'format' });
		// @ts-expect-error an action is needed
		client.admin.baseImages.create({ name: 'x' });
		// @ts-expect-error names are those of the interface
		client.admin.baseImages.create({ action: 'flash', flash_offset: '0x0' });
		// @ts-expect-error only calls that create something take it
		client.keys.revoke('key_1', { idempotencyKey: 'a' });
	});

	it('accept no value that this version does not know, without a cast', () => {
		// @ts-expect-error misspelled
		client.boards.list({ status: 'availabel' });
		// @ts-expect-error misspelled
		client.boards.watch({ status: 'availabel' });
		// @ts-expect-error misspelled
		client.leases.list({ status: ['activ'] });
		// @ts-expect-error misspelled
		client.activity.list({ kind: 'key.creatd' });
		// @ts-expect-error misspelled
		client.keys.create({ scope: 'board' });
		client.boards.list({ status: 'reserved' as BoardStatus });
	});

	it('accept a board type or a board', () => {
		client.leases.create({
			boardType: 'arduino-uno',
			boardId: null,
			durationMs: 300_000,
			waitMs: 0,
		});
		// @ts-expect-error times are in milliseconds
		client.leases.create({ boardId: 'brd_1', minutes: 5 });
		// @ts-expect-error one of them is needed
		client.leases.create({});
		// @ts-expect-error null is as if it was left out
		client.leases.create({ boardType: null, boardId: null });
		// @ts-expect-error only one of them
		client.leases.create({ boardType: 'arduino-uno', boardId: 'brd_1' });
		// @ts-expect-error names are those of the interface
		client.leases.create({ boardType: 'arduino-uno', wait: 5 });
	});

	it('have one kind of step in each of a scenario', () => {
		const steps: ScenarioStep[] = [
			{ expect: /ok/, timeout: 5 },
			{ fail: ['a', /b/] },
			{ send: 'x' },
			{ waitMs: 5 },
			{ reset: true },
		];
		// @ts-expect-error only one of them
		steps.push({ send: 'x', expect: 'y' });
		// @ts-expect-error only an expectation has a time limit of its own
		steps.push({ send: 'x', timeout: 5 });
		// @ts-expect-error one is needed
		steps.push({});
	});

	it('need the id of the record', () => {
		// @ts-expect-error revokes no key
		client.keys.revoke();
		// @ts-expect-error creates no board
		client.admin.boards.create({});
		// @ts-expect-error creates no entry
		client.admin.baseImages.create({});
	});

	it('accept null and functions as the key', () => {
		expectTypeOf(BoardAccess).toBeConstructibleWith({ apiKey: null });
		expectTypeOf(BoardAccess).toBeConstructibleWith({ apiKey: async () => 'key_' });
		expectTypeOf(BoardAccess).toBeConstructibleWith();
	});
});

describe('requests', () => {
	it('are those of the operations', () => {
		const request: RequestFunction = () => Promise.reject();
		const ids = { id: 'brd_1' };
		// @ts-expect-error no such address
		call(request, 'GET /v1/boards/{name}', { ids });
		// @ts-expect-error needs the id of the board
		call(request, 'GET /v1/boards/{id}', {});
		// @ts-expect-error no such parameter
		call(request, 'GET /v1/leases/{id}', { ids, query: { wiat: 5 } });
		// @ts-expect-error no such field
		call(request, 'POST /v1/leases/{id}/renew', { ids, json: { minuets: 5 } });
		// @ts-expect-error takes no query
		call(request, 'DELETE /v1/leases/{id}', { ids, query: { wait: 5 } });
		// @ts-expect-error takes no body
		call(request, 'GET /v1/leases/{id}', { ids, json: { minutes: 5 } });
		const read = recordReader({ volts: {} as Shape[string] });
		// @ts-expect-error the record has no such field
		call(request, 'GET /v1/boards/{id}', { ids, read });
		const list = { route: 'GET /v1/admin/agents', read: recordReader({}), options: {} } as const;
		// @ts-expect-error the list has no such filter
		createListing(request, { ...list, filters: { online: {} as Shape[string] } });
	});
});

describe('errors', () => {
	it('narrow by code', () => {
		const error: unknown = undefined;
		if (isApiError(error, 'paid_tier_required')) {
			expectTypeOf(error).toExtend<ApiError>();
			expectTypeOf(error.code).toEqualTypeOf<'paid_tier_required'>();
		}
		// @ts-expect-error misspelled
		isApiError(error, 'paid_tier_requird');
		isApiError(error, 'http_502');
		isApiError(error, 'sold_out' as ErrorCode);
		if (isApiError(error, 429)) expectTypeOf(error.status).toEqualTypeOf<429>();
		if (isApiError(error)) expectTypeOf(error.status).toBeNumber();
	});

	it('narrow by name', () => {
		const error: unknown = undefined;
		if (isBoardAccessError(error)) {
			expectTypeOf(error).toEqualTypeOf<AnyBoardAccessError>();
			if (error.name === 'LeaseEndedError') expectTypeOf(error).toEqualTypeOf<LeaseEndedError>();
			if (error.name === 'InputError') expectTypeOf(error.issues).toExtend<readonly object[]>();
			// @ts-expect-error only a response has a status
			error.status;
		}
	});

	it('have the codes of this library in one union', () => {
		expectTypeOf<Exclude<AnyBoardAccessError, ApiError>['code']>().toEqualTypeOf<ClientErrorCode>();
	});

	it('have the codes of the service, and leave room for more', () => {
		expectTypeOf<ErrorCode>().toExtend<string>();
		expectTypeOf<'rate_limited'>().toExtend<ErrorCode>();
		expectTypeOf<string>().toExtend<ApiError['code']>();
		// @ts-expect-error it is not a code of the service
		const code: ErrorCode = 'rate_limit';
		void code;
	});
});

describe('fixtures of test runners', () => {
	it('give the test a lease, its board and the client', () => {
		type Given = { lease: Lease; board: Board; client: BoardAccess };
		const options = { boardType: 'arduino-uno' };
		vitestBoard(options)('', (given) => expectTypeOf(given).toExtend<Given>());
		playwrightBoard(options)('', ({ lease, board, client, page }) => {
			expectTypeOf({ lease, board, client }).toEqualTypeOf<Given>();
			expectTypeOf(page).toEqualTypeOf<Page>();
		});
		nodeTestBoard(options)((given) => expectTypeOf(given).toExtend<Given>());
		vitestBoard(options)('', ({ lease }) => expectTypeOf(lease).toEqualTypeOf<Lease>());
		nodeTestBoard(options)(({ lease }) => expectTypeOf(lease).toEqualTypeOf<Lease>());
	});
});
