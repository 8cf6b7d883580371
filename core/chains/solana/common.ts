import type { EnginePlan, ReadinessCall } from '../driver.ts';

/** Programs of the genesis cannot be called in the genesis slot. */
export const readinessCall: ReadinessCall = {
  method: 'getSlot',
  params: [{ commitment: 'confirmed' }],
  isAnswer: (slot) => typeof slot === 'number' && slot > 0,
};

/** Solana's nodes serve JSON-RPC over HTTP on one port and WebSockets on the next. */
export function servicesOf(part: string): EnginePlan['services'] {
  return { rpc: { part, port: 'rpc' }, ws: { part, port: 'ws' } };
}
