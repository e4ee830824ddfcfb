// An agent in its own process, which a test can kill. Its configuration is the first argument.
import { checkConfig } from '../../src/config.ts';
import { startAgent } from '../../src/index.ts';

await startAgent({ config: checkConfig(JSON.parse(process.argv[2] ?? '')) });
