// A coding agent as a process of its own, which a test can kill: starts the command, and makes these calls at once.
// It prints a line for each progress.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [command = '', root = '', calls = '[]'] = process.argv.slice(2);
const { SERVICE_BASE_URL = '', SERVICE_API_KEY = '' } = process.env;

const transport = new StdioClientTransport({
	command: process.execPath,
	args: [command, 'mcp', '--root', root],
	env: { SERVICE_BASE_URL, SERVICE_API_KEY },
});
const client = new Client({ name: 'agent-process', version: '1.0.0' });
await client.connect(transport);
console.log(`server ${transport.pid}`);
const calling = JSON.parse(calls).map((call: Parameters<Client['callTool']>[0]) =>
	client.callTool(call, { onprogress: ({ message }) => console.log(message) }),
);
await Promise.all(calling);
console.log('done');
