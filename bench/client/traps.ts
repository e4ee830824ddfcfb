// Limits that make the server misbehave, to see what a client does about it.

/** 503 at first, then an answer. */
export const temporaryFailure = 991;
/** An answer whose body stops in the middle. */
export const stalledBody = 992;
/** A record whose id is a number. */
export const wrongType = 993;
