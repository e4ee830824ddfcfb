import { describe, expect, it } from 'vitest';
import { useService } from '../support/cli.ts';

const { cli, demo } = useService();
const create = ['agents', 'create', '--name', 'lab-1', '--board', 'brd_esp32-s3-01'];

const agents = async () => {
	const listed: { id: string; name: string; revokedAt: string | null; boardIds: string[] }[] =
		JSON.parse((await cli('agents list --json')).stdout);
	return listed;
};

describe('agents create', () => {
	it('prints only the token in a pipe', async () => {
		const { exitCode, stdout, stderr } = await cli(create);
		expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
		expect(stdout).toMatch(/^agt_[0-9a-f]{48}\n$/);
		expect((await agents()).at(-1)).not.toHaveProperty('token');
	});

	it('warns on a terminal that the token is shown only once', async () => {
		const { stderr } = await cli(create, { terminal: 80 });
		expect(stderr).toMatch(/^The token of agt_[0-9a-f]{24} is shown only once/);
	});

	it('prints the agent with its token as JSON', async () => {
		const { stdout } = await cli([...create, '--json']);
		expect(JSON.parse(stdout)).toMatchObject({
			name: 'lab-1',
			token: expect.stringMatching(/^agt_/),
			boardIds: ['brd_esp32-s3-01'],
		});
	});

	it('revokes the agent when the token cannot be written', async () => {
		const deliver = () => Promise.reject(new Error('no space left'));
		const argv = ['agents', 'create', '--name', 'lost'];
		expect(await cli(argv, { deliver })).toMatchObject({ exitCode: 1, stdout: '' });
		const lost = (await agents()).find(({ name }) => name === 'lost');
		expect(lost?.revokedAt ?? 'gone').not.toBeNull();
		if (lost) expect(lost.revokedAt).toBeTruthy();
	});

	it('has exit code 6 for accounts without the admin role', async () => {
		const env = { SERVICE_API_KEY: demo().freeApiKey };
		expect(await cli(create, { env })).toMatchObject({ exitCode: 6, stdout: '' });
		expect(await cli('agents list', { env })).toMatchObject({ exitCode: 6, stdout: '' });
	});
});

describe('agents list', () => {
	it('shows the boards of each agent, and whether it is online', async () => {
		await cli('agents create --name rack --board brd_nrf52840-dk-01');
		const { stdout } = await cli('agents list');
		expect(stdout).toMatch(/^ID +NAME +ONLINE +TOKEN +BOARDS +LAST SEEN/);
		expect(stdout).toMatch(/^agt_\w{24} +rack +no +agt_\S+ +brd_nrf52840-dk-01 +never/m);
	});
});

const created = async () => {
	const { id }: { id: string } = JSON.parse((await cli([...create, '--json'])).stdout);
	return id;
};

describe('agents edit', () => {
	const edit = async (id: string, options: string) =>
		JSON.parse((await cli(`agents edit ${id} ${options} --json`)).stdout);

	it('changes the name or the boards, and leaves the rest', async () => {
		const id = await created();
		expect(await edit(id, '--name lab-2')).toMatchObject([
			{ id, name: 'lab-2', boardIds: ['brd_esp32-s3-01'] },
		]);
		const boards = '--board brd_esp32-s3-02 --board brd_nrf52840-dk-01';
		expect(await edit(id, boards)).toMatchObject([
			{ name: 'lab-2', boardIds: ['brd_esp32-s3-02', 'brd_nrf52840-dk-01'] },
		]);
		expect(await edit(id, '--no-boards')).toMatchObject([{ name: 'lab-2', boardIds: [] }]);
	});

	it('requires a field to change, and an existing agent', async () => {
		expect(await cli(`agents edit ${await created()}`)).toMatchObject({ exitCode: 2 });
		const both = `agents edit ${await created()} --board brd_esp32-s3-02 --no-boards`;
		expect(await cli(both)).toMatchObject({ exitCode: 2 });
		const unknown = 'agents edit agt_000000000000000000000000 --name lab-2';
		expect(await cli(unknown)).toMatchObject({ exitCode: 3 });
	});
});

describe('agents revoke', () => {
	it('asks on a terminal, with the name of the agent', async () => {
		const id = await created();
		const rejected = await cli(`agents revoke ${id}`, { terminal: 80, stdin: 'n\n' });
		expect(rejected).toMatchObject({
			exitCode: 1,
			stderr: expect.stringContaining(`${id} "lab-1", boards: brd_esp32-s3-01\nRevoke this agent?`),
		});
		const agreed = await cli(`agents revoke ${id}`, { terminal: 80, stdin: 'y\n' });
		expect(agreed).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('is revoked') });
	});

	it('needs --yes without a terminal', async () => {
		const id = await created();
		expect(await cli(`agents revoke ${id}`)).toMatchObject({ exitCode: 2 });
		expect(await cli(`agents revoke ${id} --yes`)).toMatchObject({
			exitCode: 0,
			stderr: `The agent ${id} is revoked.\n`,
		});
		expect(await cli('agents revoke agt_000000000000000000000000 --yes')).toMatchObject({
			exitCode: 3,
		});
	});
});

describe('agents rotate', () => {
	it('prints only the new token in a pipe, and the agent as JSON', async () => {
		const id = await created();
		const { exitCode, stdout, stderr } = await cli(`agents rotate ${id}`);
		expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
		expect(stdout).toMatch(/^agt_[0-9a-f]{48}\n$/);
		const json = JSON.parse((await cli(`agents rotate ${id} --json`)).stdout);
		expect(json).toMatchObject({ id, token: expect.stringMatching(/^agt_/) });
		expect(json.token).not.toBe(stdout.trim());
	});

	it('leaves the agent as it is when the token cannot be written', async () => {
		const id = await created();
		const deliver = () => Promise.reject(new Error('no space left'));
		expect(await cli(`agents rotate ${id}`, { deliver })).toMatchObject({
			exitCode: 1,
			stdout: '',
		});
		expect((await agents()).some((agent) => agent.id === id)).toBe(true);
		expect(await cli('agents rotate agt_000000000000000000000000')).toMatchObject({ exitCode: 3 });
	});
});
