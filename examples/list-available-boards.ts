// Lists the available boards, of one type or of all.
//   node examples/list-available-boards.ts esp32-s3
import { BoardAccess } from 'board-access';

const [boardType] = process.argv.slice(2);
const client = new BoardAccess();

for await (const board of client.boards.list({ boardType, status: 'available' })) {
	console.log(`${board.id}  ${board.boardType}  ${board.description}`);
}
