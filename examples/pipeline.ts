// Creates a key for a job, and revokes it however the job ends.
//   node examples/pipeline.ts
import { BoardAccess } from 'board-access';

const client = new BoardAccess();

await using key = await client.keys.create({ label: `job ${process.env.CI_JOB_ID ?? 'by hand'}` });
console.log(`Working with ${key.hint}`);

const job = client.withOptions({ apiKey: key.key });
const [board] = await job.boards.list({ status: 'available' }).first(1);
if (!board) throw new Error('No board is available');
console.log(`Testing on ${board.id}`);
