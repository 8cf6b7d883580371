const computing = /^(eth_(call|estimateGas|createAccessList|simulateV1)|debug_trace\w+|trace_\w+)$/;

/** Whether the engine executes contracts for a call: such calls may take seconds, and a hundred megabytes each. */
export const computesLight = (method: string): boolean => computing.test(method);

/** Calls that execute contracts in an engine at the same time, for each replica. Together they must fit in its memory. */
export const maxComputing = 4;
/** Of them, those with one key of the network, so that the owner of a network never waits behind all who have its public URL. */
export const maxComputingOfKey = 3;

const kept = /^eth_(new(Block|PendingTransaction)?Filter|subscribe)$/;

/** Whether a call leaves something in the engine that lasts for minutes, or as long as its connection. */
export const keepsLight = (method: string): boolean => kept.test(method);

/** Filters and subscriptions that a network's callers may create in five minutes, which is how long the engine keeps one unused. */
export const maxKept = { perSecond: 2000 / 300, burst: 2000 };
