// The entry point that the runner starts when the job ends, even if the job fails.
import { endJob } from './run.ts';
import { Runner } from './runner.ts';

process.exitCode = await endJob(new Runner(process.env, (text) => process.stdout.write(text)));
