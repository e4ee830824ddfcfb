// A folder for a test. It is in that of the run, which is removed with it.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const temporaryDirectory = () => mkdtemp(join(tmpdir(), 'board-access-'));
