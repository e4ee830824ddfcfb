// Limits that make the server misbehave, to see how a client handles it.

/** 503 at first, then a correct response. */
export const temporaryFailure = 991;
/** A response whose body stops in the middle. */
export const stalledBody = 992;
/** A record whose id is a number. */
export const wrongType = 993;
