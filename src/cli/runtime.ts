// The versions of Node that the command runs on.
import { engines } from '../../package.json';

/** The message for a version of Node that is too old; nothing for one that is supported. */
export function unsupportedNode(version: string) {
	const oldest = engines.node.replace('>=', '');
	if (Number.parseInt(version, 10) >= Number(oldest)) return undefined;
	return `board-access needs Node.js ${oldest} or later; this is Node.js ${version}`;
}
