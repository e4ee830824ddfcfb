// The entry point that the runner starts for the step.
import { runStep } from './run.ts';
import { Runner } from './runner.ts';

process.exitCode = await runStep(new Runner(process.env, (text) => process.stdout.write(text)));
