import { say, step } from '../lib/progress.ts';
import type { SlipwayEnvironment } from '../up/environment.ts';
import { nextStepsText } from './nextSteps.ts';
import { ensureKey, ensureNetwork, readEndpoints } from './objects.ts';
import { sendFirstTransaction } from './transaction.ts';
import { watchUntilOperational } from './watch.ts';

const networkName = 'demo';
const secretName = 'demo-key';

/** Creates a network over REST, or reuses the one of an earlier run, and mines a first transaction on it. */
export async function runDemo(environment: SlipwayEnvironment): Promise<void> {
  const access = {
    url: environment.SLIPWAY_URL,
    keyId: environment.SLIPWAY_API_KEY_ID,
    keySecret: environment.SLIPWAY_API_KEY_SECRET,
  };
  const key = await step(`demo: creating the secret "${secretName}"`, () => ensureKey(access, secretName));
  const network = await step(`demo: starting the network "${networkName}"`, async () => {
    const { id, isNew } = await ensureNetwork(access, networkName, secretName);
    if (!isNew) say('  it already exists');
    await watchUntilOperational(access, id, (line) => say(`  ${line}`));
    return { id, endpoints: await readEndpoints(access, id) };
  });
  const rpcUrl = network.endpoints.rpc ?? '';
  const transaction = await step('demo: sending a first transaction', () =>
    sendFirstTransaction(rpcUrl, key),
  );
  say('');
  say(`  endpoint     ${rpcUrl}`);
  say(`  chain id     ${transaction.chainId}`);
  say(`  mined        ${transaction.hash} in block ${transaction.block}`);
  say(nextStepsText({ networkId: network.id, networkName, rpcUrl, address: transaction.from }));
}
