// Logs one JSON line for each event, without secrets.
import { redact } from 'board-access-contract';

/** Where the agent logs to, such as a pino logger. */
export interface AgentLog {
	info(details: object, message: string): void;
	warn(details: object, message: string): void;
	error(details: object, message: string): void;
}

export const silentLog: AgentLog = { info() {}, warn() {}, error() {} };

export function createLog(write = (line: string) => void process.stdout.write(line)): AgentLog {
	const at = (level: string) => (details: object, message: string) => {
		const entry = { level, time: new Date().toISOString(), ...details, msg: message };
		write(`${redact(JSON.stringify(entry))}\n`);
	};
	return { info: at('info'), warn: at('warn'), error: at('error') };
}
