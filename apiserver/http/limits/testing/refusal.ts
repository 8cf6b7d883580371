/** For tests: what a rate limit says of itself. */
export const testRefusal = { describe: () => 'the account exceeded its limit', onRefused: () => undefined };
