// Adds the built files of the action to the tag of its version, and prints the tag.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
const tag = `v${version}`;
const author = ['-c', 'user.name=board-access', '-c', 'user.email=release@board-access.invalid'];

git('checkout', '--quiet', '--detach');
git('add', '--force', 'dist-action');
git(...author, 'commit', '--quiet', '--message', `Build the action of ${version}`);
git('tag', tag);
console.log(tag);

function git(...argv: string[]) {
	execFileSync('git', argv, { stdio: ['ignore', 'ignore', 'inherit'] });
}
