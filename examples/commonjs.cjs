// The same client in a CommonJS script.
//   node examples/commonjs.cjs
const { BoardAccess } = require('board-access');

new BoardAccess().boards.list().then((boards) => {
	console.log(`${boards.length} boards`);
});
