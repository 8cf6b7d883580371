import { Contract, JsonRpcProvider, type Wallet } from 'ethers';
import { runProgram } from './cluster.ts';
import { endpointsOf, reach } from './networks.ts';
import { type Answer, call, freshName, until } from './service.ts';

export const tokensPath = '/transaction/v1alpha1/transaction/token';

/** A running network from a user's point of view. */
export interface Chain {
  id: string;
  name: string;
  url: string;
  provider: JsonRpcProvider;
  /** The caller's default key, which every network funds. */
  wallet: Wallet;
}

export async function startChain(type: string, wallet: Wallet): Promise<Chain> {
  const name = freshName('tok');
  const chain = { type, [type.toLowerCase()]: {} };
  const { status, body } = await call('POST', '/v1alpha/networks', { body: { name, spec: { chain } } });
  if (status !== 201) throw new Error(JSON.stringify(body));
  await reach(body.id, 'Operational');
  const { rpc = '' } = await endpointsOf(body.id);
  const provider = new JsonRpcProvider(rpc, undefined, { cacheTimeout: -1, pollingInterval: 50 });
  return { id: body.id, name, url: rpc, provider, wallet: wallet.connect(provider) };
}

/** Deploys over REST and waits until every deployment has completed and is connected. */
export async function deployToken(kind: string, body: object): Promise<Answer['body']> {
  const answer = await call('POST', `${tokensPath}/${kind}/deploy`, {
    body: { name: 'Test', symbol: 'TST', ...body },
  });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return deployed(answer.body.id, answer.body.deployments.length);
}

/** `count`: the number of requested deployments; another replica may see them a moment later. */
export async function deployed(id: string, count: number): Promise<Answer['body']> {
  const isDone = ({ body }: Answer) =>
    body.deployments?.length === count &&
    body.deployments.every(
      (one: { token_address: string; message?: string }) => one.token_address !== '' && !one.message,
    );
  const read = () => call('GET', `${tokensPath}/${id}`);
  const { body } = await until(`the deployments of token ${id}`, read, isDone);
  return body;
}

export function deploymentOn(token: Answer['body'], { id }: Chain): Answer['body'] {
  return token.deployments.find(({ network_id }: { network_id: string }) => network_id === id);
}

/** Takes back what `work` does on a chain, once it is done. */
export async function takenBack<T>(chain: Chain, work: () => Promise<T>): Promise<T> {
  const { admin } = await endpointsOf(chain.id);
  const provider = new JsonRpcProvider(admin, undefined, { cacheTimeout: -1 });
  try {
    const snapshot = await provider.send('evm_snapshot', []);
    const result = await work();
    if (!(await provider.send('evm_revert', [snapshot]))) throw new Error('the snapshot was not found');
    return result;
  } finally {
    provider.destroy();
  }
}

export function contractOn({ wallet }: Chain, address: string, abi: readonly string[]): Contract {
  return new Contract(address, abi, wallet);
}

/** Calls a contract with Foundry's cast and returns the result without cast's annotations. */
export async function cast({ url }: Chain, address: string, signature: string, ...args: string[]) {
  const { code, stdout, stderr } = await runProgram('cast', [
    ...['call', address, signature, ...args],
    ...['--rpc-url', url],
  ]);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim().replace(/ \[.*\]$/, '');
}
