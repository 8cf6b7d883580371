import { createPublicClient, createTestClient, createWalletClient, defineChain, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/**
 * What a test suite with viem does, on two nodes in turn. Reads TARGETS (JSON: name to URL and chain id), PRIVATE_KEY and
 * SAMPLES, and prints the milliseconds of each operation on each target as JSON.
 */
const targets = JSON.parse(process.env.TARGETS);
const samples = Number(process.env.SAMPLES);
const account = privateKeyToAccount(process.env.PRIVATE_KEY);
const receiver = '0x00000000000000000000000000000000000000aa';
/** Creation code of a contract of 1 kB that does nothing. */
const data = `0x61040080600b6000396000f3${'00'.repeat(1024)}`;
const pollingInterval = 5;

function clientsOf({ url, chainId }) {
  const chain = defineChain({
    id: chainId,
    name: 'measured',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  const common = { chain, transport: http(url), pollingInterval };
  return {
    reader: createPublicClient({ ...common, cacheTime: 0 }),
    writer: createWalletClient({ ...common, account }),
    tester: createTestClient({ ...common, mode: 'anvil' }),
  };
}

async function mined({ reader, writer }, transaction) {
  const hash = await writer.sendTransaction(transaction);
  await reader.waitForTransactionReceipt({ hash, pollingInterval });
}

const read = ({ reader }) => reader.getBalance({ address: account.address });
const operations = {
  'send and receipt': (clients) => mined(clients, { to: receiver, value: 1n }),
  deploy: (clients) => mined(clients, { data }),
  async 'snapshot, send and revert'(clients) {
    const id = await clients.tester.snapshot();
    await mined(clients, { to: receiver, value: 1n });
    await clients.tester.revert({ id });
  },
  async 'ten reads one after the other'(clients) {
    for (let count = 0; count < 10; count += 1) await read(clients);
  },
  'twenty reads at once': (clients) => Promise.all(Array.from({ length: 20 }, () => read(clients))),
};

const all = Object.entries(targets).map(([name, target]) => [name, clientsOf(target)]);
const result = Object.fromEntries(Object.keys(operations).map((name) => [name, {}]));
for (const [name, work] of Object.entries(operations)) {
  for (const [target, clients] of all) {
    for (let count = 0; count < 5; count += 1) await work(clients);
    result[name][target] = [];
  }
  for (let count = 0; count < samples; count += 1) {
    for (const [target, clients] of all) {
      const startMs = performance.now();
      await work(clients);
      result[name][target].push(performance.now() - startMs);
    }
  }
}
process.stdout.write(`${JSON.stringify(result)}\n`);
