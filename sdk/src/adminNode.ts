import type { Client } from './client.ts';

/** Calls the node of a network: the result of one call. Rejects with Error and the node's reason when it refuses. */
type CallNode = (method: string, params: unknown[]) => Promise<unknown>;

/**
 * The node of a network, as its admin URL reaches it; undefined when the caller has no such URL: it may not write networks, or
 * the network runs real clients. Wakes a stopped network.
 */
export async function adminNode(
  client: Pick<Client, 'networks' | 'request'>,
  networkId: string,
  signal?: AbortSignal,
): Promise<CallNode | undefined> {
  const { map } = await client.networks.getEndpoints(networkId, { signal });
  const url = map.admin;
  if (url === undefined) return undefined;
  // The path on this installation, wherever its public URL is.
  const start = url.indexOf('/rpc/');
  if (start < 0) throw new Error(`the admin URL of network ${networkId} is not one of this installation`);
  return async (method, params) => {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    const { result, error } = await client.request<Answer>('POST', url.slice(start), {
      body,
      signal,
      isSentOnce: true,
    });
    if (error) throw new Error(error.message);
    return result;
  };
}

interface Answer {
  result?: unknown;
  error?: { message: string };
}
