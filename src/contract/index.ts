// The wire contract: the shapes that client, service and agent share. No HTTP library, no Node.
export * from './account.ts';
export * from './activity.ts';
export * from './agent.ts';
export * from './agent-record.ts';
export * from './api-key.ts';
export * from './base-image.ts';
export * from './board.ts';
export { Channel } from './channel/channel.ts';
export * from './channel/frames.ts';
export * from './channel/input.ts';
export * from './channel/line.ts';
export * from './error.ts';
export { firmwareFormats, maxFileSize } from './firmware/format.ts';
export * from './lease.ts';
export * from './names.ts';
export { describeFinding, type Finding, redact } from './printable.ts';
export * from './records.ts';
export * from './requests.ts';
