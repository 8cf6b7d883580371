import { say, step } from '../lib/progress.ts';
import type { SlipwayEnvironment } from '../up/environment.ts';
import { goOnText } from './goOn.ts';
import { ensureKey, ensureNetwork, readEndpoints } from './objects.ts';
import { sendFirstTransaction } from './transaction.ts';
import { watchUntilOperational } from './watch.ts';

const networkName = 'demo';
const secretName = 'demo-key';

/** Makes a network over REST, or takes the one of an earlier run, and mines a first transaction on it. */
export async function runDemo(environment: SlipwayEnvironment): Promise<void> {
  const access = {
    url: environment.SLIPWAY_URL,
    keyId: environment.SLIPWAY_API_KEY_ID,
    keySecret: environment.SLIPWAY_API_KEY_SECRET,
  };
  const key = await step(`demo: secret «${secretName}»`, () => ensureKey(access, secretName));
  const network = await step(`demo: network «${networkName}»`, async () => {
    const { id, isNew } = await ensureNetwork(access, networkName, secretName);
    if (!isNew) say('  it exists already');
    await watchUntilOperational(access, id, (line) => say(`  ${line}`));
    return { id, endpoints: await readEndpoints(access, id) };
  });
  const rpcUrl = network.endpoints.rpc ?? '';
  const transaction = await step('demo: a first transaction', () => sendFirstTransaction(rpcUrl, key));
  say('');
  say(`  endpoint     ${rpcUrl}`);
  say(`  chain id     ${transaction.chainId}`);
  say(`  mined        ${transaction.hash} in block ${transaction.block}`);
  say(goOnText({ networkId: network.id, networkName, rpcUrl, address: transaction.from }));
}
