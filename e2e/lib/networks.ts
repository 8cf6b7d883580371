import { randomBytes } from 'node:crypto';
import { Wallet } from 'ethers';
import { type Answer, call, freshName, until } from './service.ts';

export interface HotKey {
  name: string;
  wallet: Wallet;
}

/** Creates a private key and stores it as a secret over REST. */
export async function createHotKey(): Promise<HotKey> {
  const bytes = randomBytes(32);
  const name = freshName('key');
  const body = { name, type: 'private-key', data: bytes.toString('base64') };
  const { status, body: answer } = await call('POST', '/v1alpha/secrets', { body });
  if (status !== 201) throw new Error(`the secret was rejected: ${JSON.stringify(answer)}`);
  return { name, wallet: new Wallet(`0x${bytes.toString('hex')}`) };
}

/** Creates an Ethereum network over REST; `chain` goes into spec.chain.ethereum, and `spec` beside spec.chain. */
export async function createNetwork(
  chain: object,
  name = freshName('net'),
  spec: object = {},
): Promise<Answer> {
  return call('POST', '/v1alpha/networks', {
    body: { name, spec: { ...spec, chain: { type: 'Ethereum', ethereum: chain } } },
  });
}

/** Waits until the network is in `state`. */
export async function reach(id: string, state: string, limitMs?: number): Promise<Answer['body']> {
  const ask = () => call('GET', `/v1alpha/networks/${id}`);
  const { body } = await until(
    `network ${id} to become ${state}`,
    ask,
    ({ body }) => body.status?.state === state,
    limitMs,
  );
  return body;
}

/** Waits until a submission is mined. */
export function untilMined(networkId: string, hash: string): Promise<Answer> {
  return until(
    `${hash} to be mined`,
    () => call('GET', `/transaction/v1alpha1/transaction/submissions/${hash}?network_id=${networkId}`),
    ({ body }) => body.state === 'mined',
  );
}

/** The URLs of a network. */
export async function endpointsOf(id: string): Promise<Record<string, string>> {
  const { status, body } = await call('GET', `/v1alpha/networks/${id}/endpoints`);
  if (status !== 200) throw new Error(`no endpoints: ${JSON.stringify(body)}`);
  return body.map;
}

/** Deletes the network and waits until it is gone. */
export async function remove(id: string): Promise<void> {
  await call('DELETE', `/v1alpha/networks/${id}`);
  await until(
    `network ${id} to be deleted`,
    () => call('GET', `/v1alpha/networks/${id}`),
    ({ status }) => status === 404,
  );
}
