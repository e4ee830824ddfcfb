// Moments as the wire and the database write them.

export const now = () => new Date().toISOString();
