import { randomBytes } from 'node:crypto';
import { getAddress } from 'ethers';
import { endpointsOf } from '../../e2e/lib/networks.ts';
import { type Answer, call, freshName } from '../../e2e/lib/service.ts';

/** A network of the soak. */
export interface SoakNetwork {
  id: string;
  rpc: string;
}

const transactions = '/transaction/v1alpha1/transaction';

export const createNetwork = (): Promise<Answer> =>
  call('POST', '/v1alpha/networks', {
    body: { name: freshName('soak'), spec: { chain: { type: 'Base', base: {} } } },
  });
export const readNetwork = (id: string): Promise<Answer> => call('GET', `/v1alpha/networks/${id}`);
export const listNetworks = (): Promise<Answer> => call('GET', '/v1alpha/networks?limit=50');
export const deleteNetwork = (id: string): Promise<Answer> => call('DELETE', `/v1alpha/networks/${id}`);
export const readRpc = async (id: string): Promise<string> => (await endpointsOf(id)).rpc ?? '';

/** Sends one transfer to a new receiver. */
export function submit(networkId: string, from: string): Promise<Answer> {
  const to = getAddress(`0x${randomBytes(20).toString('hex')}`);
  const body = { transactions_by_network: { [networkId]: [{ from, to, value: '1', data: '0x' }] } };
  return call('POST', `${transactions}/submit`, { body });
}

export function createSecret(): Promise<Answer> {
  const data = randomBytes(32).toString('base64');
  return call('POST', '/v1alpha/secrets', { body: { name: freshName('soak'), type: 'private-key', data } });
}
export const deleteSecret = (id: string): Promise<Answer> => call('DELETE', `/v1alpha/secrets/${id}`);

export const startRecording = (networkId: string, userAddress: string): Promise<Answer> =>
  call('POST', `${transactions}/recording/start`, { body: { userAddress, networkIds: [networkId] } });
export const stopRecording = (recordingId: string): Promise<Answer> =>
  call('POST', `${transactions}/recording/stop`, { body: { recordingId } });

/** One JSON-RPC call, which wakes a stopped network. */
export async function askChain(rpc: string): Promise<Answer> {
  const response = await fetch(rpc, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' }),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text };
}
