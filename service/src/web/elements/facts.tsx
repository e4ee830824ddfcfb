// Facts about one thing, each with its name.
import type { Child } from 'hono/jsx';

export type Fact = readonly [name: string, value: Child];

/** Those that do not apply are false or null. */
export function Facts({ facts }: { facts: readonly (Fact | false | null | undefined)[] }) {
	return (
		<dl class="facts">
			{facts.map(
				(fact) =>
					fact && (
						<>
							<dt>{fact[0]}</dt>
							<dd>{fact[1]}</dd>
						</>
					),
			)}
		</dl>
	);
}
