import { durationMs } from '../../../lib/time.ts';

/** Calls the node of a network: the result of one call. */
export type CallNode = (method: string, params: unknown[]) => Promise<unknown>;

/** The newest block of a chain. */
export interface Newest {
  number: number;
  at: string;
}

export const maxBlocks = 1_000;
const maxSeconds = 10 * 366 * 86_400;

/** How many blocks a text says; undefined for none, or for more than a node mines in one call. */
export function blocksIn(text: string): number | undefined {
  const blocks = Number(text.trim() || 'none');
  return Number.isInteger(blocks) && blocks >= 1 && blocks <= maxBlocks ? blocks : undefined;
}

/** The whole seconds of a duration such as "1h30m"; undefined for none, or for more than ten years. */
export function secondsIn(text: string): number | undefined {
  const seconds = Math.floor((durationMs(text.trim()) ?? 0) / 1_000);
  return seconds >= 1 && seconds <= maxSeconds ? seconds : undefined;
}

/** Mines blocks, whatever waits in the pool. */
export async function mine(call: CallNode, blocks: number): Promise<Newest> {
  await call('anvil_mine', [quantity(blocks)]);
  return newestOf(call);
}

/** Moves the clock of the chain forward, and mines the block that shows it. */
export async function moveForward(call: CallNode, seconds: number): Promise<Newest> {
  await call('evm_increaseTime', [seconds]);
  await call('evm_mine', []);
  return newestOf(call);
}

async function newestOf(call: CallNode): Promise<Newest> {
  const block = await call('eth_getBlockByNumber', ['latest', false]);
  const { number, timestamp } = block as { number: string; timestamp: string };
  return { number: Number(number), at: new Date(Number(timestamp) * 1_000).toISOString() };
}

const quantity = (value: number): string => `0x${value.toString(16)}`;
