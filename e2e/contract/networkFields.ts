import type { World } from './world.ts';
import { send } from './world.ts';

export type Rpc = (method: string, ...params: unknown[]) => Promise<unknown>;

/** JSON-RPC over a URL; throws with the node's own message. */
export function rpcAt(url: string): Rpc {
  return async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'Content-Type': 'application/json' };
    const signal = AbortSignal.timeout(30_000);
    const response = await fetch(url, { method: 'POST', headers, body, signal });
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}

/** The URLs of a network of this world. */
export async function urlsOf({ key }: World, id: string): Promise<Record<string, string>> {
  const path = '/v1alpha/networks/{id}/endpoints';
  const { body } = await send({ method: 'GET', path, params: { id }, by: key });
  return body.map;
}

/** The number and the timestamp of the latest block, and its gas limit. */
export async function headOf(rpc: Rpc): Promise<{ number: number; timestamp: number; gasLimit: number }> {
  const block = (await rpc('eth_getBlockByNumber', 'latest', false)) as Record<string, string>;
  const [number, timestamp, gasLimit] = [block.number, block.timestamp, block.gasLimit].map(Number);
  return { number: number ?? 0, timestamp: timestamp ?? 0, gasLimit: gasLimit ?? 0 };
}
