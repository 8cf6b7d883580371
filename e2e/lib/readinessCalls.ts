/** A readiness request for each chain family: the service to ask, the call and the expected answer. */
export const readinessCalls = {
  // A node that already serves requests may not have its transaction index yet.
  evm: {
    service: 'rpc',
    rpc: { method: 'eth_getTransactionReceipt', params: [`0x${'0'.repeat(64)}`] },
    answer: /^null$/,
  },
  beacon: { service: 'cl-1', path: '/eth/v1/node/version', answer: /Prysm/ },
  thorchain: { service: 'rest', path: '/thorchain/version', answer: /3\.0\.0/ },
  // Genesis programs cannot be called in the genesis slot.
  solana: {
    service: 'rpc',
    rpc: { method: 'getSlot', params: [{ commitment: 'confirmed' }] },
    answer: /^[1-9]/,
  },
} as const;
export type ReadinessCallName = keyof typeof readinessCalls;

/** Asks the service at `url` and returns the JSON-RPC result or the REST body as text. */
export async function sendReadinessCall(url: string, name: ReadinessCallName): Promise<string> {
  const readinessCall = readinessCalls[name];
  return 'path' in readinessCall
    ? (await fetch(`${url}${readinessCall.path}`)).text()
    : askRpc(url, readinessCall.rpc);
}

/** The result of a JSON-RPC call, as text. */
export async function askRpc(url = '', readinessCall: object): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...readinessCall }),
  });
  const { result } = (await response.json()) as { result?: unknown };
  return String(result);
}
