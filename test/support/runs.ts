// How many inputs and histories a generated test tries. With the tag `generated`, it is one of the long tests too.

/** Five times as many in the long tests. */
export const runs = (count: number) => (process.env.MODE === 'long' ? 5 * count : count);
