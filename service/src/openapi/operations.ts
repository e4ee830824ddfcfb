// The operations of the HTTP API with what the documentation says about each.
import { type OperationName, operations as values } from 'board-access-contract/operations';
import { describe } from 'board-access-http/operation';
import { texts } from './texts.ts';

export const operations = Object.keys(texts).map((name) =>
	describe(name, values[name as OperationName], texts[name as OperationName]),
);
