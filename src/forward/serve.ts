// Local servers that give a tool a serial port: by RFC 2217, or as plain bytes.
import { Rfc2217Session } from './rfc2217.ts';
import { ToolServer, type ToolServerOptions } from './tool-server.ts';

export interface PortServer {
	/** What the tool is given, such as `rfc2217://127.0.0.1:4000`. */
	readonly address: string;
	stop(): Promise<void>;
}

export interface ServeOptions extends ToolServerOptions {
	/** Default: any free port. Only this machine reaches it. */
	readonly port?: number | undefined;
}

/** Serves a port with settings and control lines, as pyserial and esptool use it. */
export async function serveRfc2217(options: ServeOptions): Promise<PortServer> {
	const { address, stop } = await serveTcp({ ...options, protocol: () => new Rfc2217Session() });
	return { address: `rfc2217://${address}`, stop };
}

/** Serves plain bytes by default, as gdb and `socket://` of pyserial use them. */
export async function serveTcp(options: ServeOptions): Promise<PortServer> {
	const host = '127.0.0.1';
	const server = new ToolServer({ host, port: options.port ?? 0 }, options);
	const port = await server.listen();
	return { address: `${host}:${port}`, stop: () => server.stop() };
}
