export { BoardAccess } from './client.ts';
