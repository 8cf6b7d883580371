import { networksWith, type Place } from './onChains.ts';

const address = `0x${'ab'.repeat(20)}`;
const hash = `0x${'cd'.repeat(32)}`;
const signal = new AbortController().signal;

/** Each network answers with these results; one without any cannot be read. */
function clientOf(results: Record<string, unknown[]>) {
  const asked: string[] = [];
  const readChain = async (id: string, { reads }: { reads: { method: string }[] }) => {
    asked.push(...reads.map(({ method }) => `${id} ${method}`));
    const own = results[id];
    if (!own) throw new Error('away');
    return { answers: own.map((result) => ({ result })) };
  };
  return { asked, client: { networks: { readChain } } as never };
}
const on = (kind: 'address' | 'tx', value: string, ...ids: string[]): Place[] =>
  ids.map((networkId) => ({ networkId, target: { kind, value } }));

it('only chains that have a transaction or a block of a hash are named, in their order', async () => {
  const { client, asked } = clientOf({ n1: [null, null], n2: [{ hash }, null], n3: [null, { hash }] });
  expect(await networksWith(client, on('tx', hash, 'n1', 'n2', 'n3', 'gone'), signal)).toEqual(['n2', 'n3']);
  expect(asked.slice(0, 2)).toEqual(['n1 eth_getTransactionByHash', 'n1 eth_getBlockByHash']);
});

it('an address is on a chain where it has funds, a nonce or code', async () => {
  const { client } = clientOf({
    none: ['0x0', '0x0', '0x'],
    funds: ['0x5', '0x0', '0x'],
    sender: ['0x0', '0x1', '0x'],
    contract: ['0x0', '0x0', '0x60'],
  });
  const places = on('address', address, 'none', 'funds', 'sender', 'contract');
  expect(await networksWith(client, places, signal)).toEqual(['funds', 'sender', 'contract']);
});
