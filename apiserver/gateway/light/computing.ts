const computing = /^(eth_(call|estimateGas|createAccessList|simulateV1)|debug_trace\w+|trace_\w+)$/;

/** Whether the engine executes contracts for a call: such calls may take seconds, and a hundred megabytes each. */
export const computesLight = (method: string): boolean => computing.test(method);

const kept = /^eth_(new(Block|PendingTransaction)?Filter|subscribe)$/;

/** Whether a call leaves something in the engine that lasts for minutes, or as long as its connection. */
export const keepsLight = (method: string): boolean => kept.test(method);

/** Filters and subscriptions that callers with one key may create in five minutes, which is how long the engine keeps one unused. */
export const maxKept = { perSecond: 2000 / 300, burst: 2000 };
