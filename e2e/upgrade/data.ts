import { readDefaultKey, successBody } from '../lib/accounts.ts';
import { getJson } from '../lib/cluster.ts';
import { call, freshName, until } from '../lib/service.ts';
import { type Chain, deployed, deployToken, startChain } from '../lib/tokens.ts';

export const transactions = '/transaction/v1alpha1/transaction';

/** One object of each kind that REST knows, and how to read it. */
export interface Data {
  chain: Chain;
  /** Paths whose answers must not change. */
  paths: string[];
}

export async function post(path: string, body: object): Promise<Record<string, string>> {
  return successBody(call('POST', path, { body }));
}

/** Makes one of everything on a network of its own, which is not persistent: an upgrade must not restart it. */
export async function makeData(): Promise<Data> {
  const wallet = await readDefaultKey();
  const chain = await startChain('Base', wallet);
  const secret = await post('/v1alpha/secrets', {
    name: freshName('upgrade'),
    type: 'private-key',
    data: Buffer.alloc(32, 3).toString('base64'),
  });
  const snapshot = await post(`/v1alpha/networks/${chain.id}/snapshots`, { name: freshName('upgrade') });
  const webhook = await post('/v1alpha/webhooks', {
    name: freshName('upgrade'),
    spec: { url: 'https://example.com/hook' },
  });
  const address = wallet.address;
  const started = await post(`${transactions}/recording/start`, {
    userAddress: address,
    networkIds: [chain.id],
  });
  const item = { from: address, to: address, value: '1', data: '0x' };
  await post(`${transactions}/submit`, { transactions_by_network: { [chain.id]: [item] } });
  await post(`${transactions}/recording/stop`, { recordingId: started.recordingId ?? '' });
  const deployments = [{ network_id: chain.id, args: { total_supply: '1000' } }];
  const erc20 = await deployToken('erc20', { name: 'Upgrade', symbol: 'UPG', deployments });
  await deployed(erc20.id, 1);
  const submissions = `${transactions}/submissions?selector=${encodeURIComponent(`network_id == ${chain.id}`)}`;
  await until(
    'all submissions to be mined',
    () => call('GET', submissions),
    ({ body }) => body.items.every(({ state }: { state: string }) => state === 'mined'),
  );
  return {
    chain,
    paths: [
      `/v1alpha/secrets/${secret.id}`,
      `/v1alpha/networks/${chain.id}/snapshots/${snapshot.id}`,
      `/v1alpha/webhooks/${webhook.id}`,
      `${transactions}/recording/${started.recordingId}/document`,
      `${transactions}/token/${erc20.id}`,
      submissions,
    ],
  };
}

/** The answers to all paths, without the status of objects that have a spec and the time of the last change: they go on. */
export async function readData({ paths }: Data): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const path of paths) {
    const { status, updated_at: _, ...answer } = await successBody(call('GET', path));
    answers.push('spec' in answer ? answer : { ...answer, status });
  }
  return answers;
}

/** What would differ if the chain of a network had been restarted: its pods, and how often their containers started. */
export async function processesOf(networkId: string): Promise<string[]> {
  const { items } = await getJson('pods', '--selector', `slipway.dev/network=${networkId}`);
  return items.map(
    ({
      metadata,
      status,
    }: {
      metadata: { uid: string };
      status: { containerStatuses?: { restartCount: number }[] };
    }) =>
      `${metadata.uid}/${(status.containerStatuses ?? []).map(({ restartCount }) => restartCount).join()}`,
  );
}
