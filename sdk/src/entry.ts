/** What `@slipway/sdk` exports. */
export type { CallOptions, RequestInput } from './call.ts';
export { type Client, createClient } from './client.ts';
export { type ErrorDetail, type ErrorReason, isSlipwayError, SlipwayError } from './error.ts';
export type * from './generated/types.ts';
export type { ClientOptions } from './options.ts';
export type { Events, SlipwayEvent, StreamedEvent, StreamOptions } from './streams/events.ts';
export type { FollowLogs, FollowOptions } from './streams/logs.ts';
export { unknownValue } from './unknownValue.ts';
export type { AwaitedState, Step, WaitOptions } from './wait.ts';
export type { TransactionWaitOptions } from './waitForTransaction.ts';
