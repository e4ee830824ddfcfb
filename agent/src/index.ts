// The library: an agent within another process.
export { type AgentOptions, type RunningAgent, startAgent } from './agent.ts';
export { type AgentConfig, ConfigError } from './config.ts';
export type { Fetch } from './link/service.ts';
export type { AgentLog } from './log.ts';
