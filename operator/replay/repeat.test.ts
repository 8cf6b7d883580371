import { Wallet } from 'ethers';
import type { Authorization, RecordedTransaction } from '../../core/api/rest/replay.ts';
import { compareEffects, repeat } from './repeat.ts';

const sender = new Wallet(`0x${'5e'.repeat(32)}`);
const caller = new Wallet(`0x${'c4'.repeat(32)}`);
const other = new Wallet(`0x${'7a'.repeat(32)}`);
const [former, moved] = [`0x${'aa'.repeat(20)}`, 'bb'.repeat(20)];
const delegate = `0x${'de'.repeat(20)}`;
const digits = (address: string) => address.slice(2).toLowerCase();
const slot = `0x${'00'.repeat(12)}${'aa'.repeat(20)}`;

function signed(wallet: Wallet, address = delegate, more: Partial<Authorization> = {}): Authorization {
  const { signature } = wallet.authorizeSync({ address, nonce: 3, chainId: 7 });
  const { yParity, r, s } = signature;
  return { chain_id: '7', address, nonce: '3', y_parity: yParity, r, s, applied: true, ...more };
}

const aTransaction = (more: Partial<RecordedTransaction>): RecordedTransaction => ({
  hash: `0x${'f'.repeat(64)}`,
  from: sender.address,
  to: former,
  value: '0',
  data: '0x',
  nonce: 0,
  gas_limit: 100_000,
  block: 1,
  timestamp: '2026-01-15T09:30:00Z',
  status: 'success',
  ...more,
});

const replaying = {
  lookup: (address: string) => {
    if (address === digits(former)) return moved;
    return address === digits(sender.address) ? digits(caller.address) : undefined;
  },
  book: { caller: caller.address, isSender: (address: string) => address === digits(sender.address) },
  hasAuthorizations: true,
};

it('an access list is repeated with the new addresses', async () => {
  const list = [
    { address: former, storage_keys: [slot] },
    { address: sender.address, storage_keys: [] },
  ];
  const { parts, differences } = await repeat(aTransaction({ type: 1, access_list: list }), replaying);
  expect(parts).toEqual({
    type: 1,
    access_list: [
      { address: `0x${moved}`, storage_keys: [`0x${'00'.repeat(12)}${moved}`] },
      { address: caller.address.toLowerCase(), storage_keys: [] },
    ],
  });
  expect(differences).toEqual([]);
});

it.each([0, 1, 2] as const)('type %s is repeated', async (type) => {
  expect(await repeat(aTransaction({ type }), replaying)).toEqual({
    parts: { type },
    sent: [],
    differences: [],
  });
});

it('a transaction of an earlier version, which has no type, is sent with that of the network', async () => {
  expect((await repeat(aTransaction({}), replaying)).parts).toEqual({});
});

it('an authorization of somebody else is sent as it was signed, beside one that nobody signed', async () => {
  const authorizations = [signed(other), signed(other, delegate, { r: '0x0', applied: false })];
  const { parts, sent, differences } = await repeat(aTransaction({ type: 4, authorizations }), replaying);
  expect({ parts, sent, differences }).toEqual({ parts: { authorizations }, sent: [0, 1], differences: [] });
});

it.each<[string, Authorization, Partial<RecordedTransaction>, object, string]>([
  ['that the recorded sender signed', signed(sender), {}, {}, 'the recorded sender signed it'],
  ['that the caller signed', signed(caller), {}, {}, 'it would use up a nonce of the caller'],
  [
    'of a contract that has another address',
    signed(other, former),
    {},
    {},
    `it names ${former}, which is 0x${moved} in the replay`,
  ],
  [
    'on a chain without EIP-7702',
    signed(other),
    {},
    { hasAuthorizations: false },
    'the chain does not take it (EIP-7702)',
  ],
  ['of a creation', signed(other), { to: undefined }, {}, 'the chain does not take it (EIP-7702)'],
])('an authorization %s is not sent, which is a difference', async (_reason, one, of, rules, reason) => {
  const recorded = aTransaction({ type: 4, authorizations: [one, signed(other)], ...of });
  const { parts, sent, differences } = await repeat(recorded, { ...replaying, ...rules });
  expect(parts.authorizations ?? []).not.toContainEqual(one);
  expect(sent).not.toContain(0);
  expect(differences[0]).toMatch(/^authorization 0: not sent, because /);
  expect(differences[0]).toContain(reason);
});

it('an authorization that had no effect makes no difference if it is not sent', async () => {
  const authorizations = [signed(sender, delegate, { applied: false })];
  const { parts, differences } = await repeat(aTransaction({ type: 4, authorizations }), replaying);
  expect([parts, differences]).toEqual([{}, []]);
});

it('blobs are named, because a chain does not have them', async () => {
  const blobs = { type: 3, blob_versioned_hashes: [`0x01${'0'.repeat(62)}`], max_fee_per_blob_gas: '1' };
  const { parts, differences } = await repeat(aTransaction(blobs), replaying);
  expect([parts, differences]).toEqual([{}, ['blobs: 1 left out, because a chain keeps only their hashes']]);
});

it('a type that only its chain can make is named', async () => {
  const { parts, differences } = await repeat(aTransaction({ type: 126 }), replaying);
  expect([parts, differences]).toEqual([
    {},
    ['type: sent as an ordinary transaction, because type 126 cannot be sent'],
  ]);
});

const reason = 'it is signed for nonce 3';
it.each<[string, boolean | undefined, boolean | undefined, string[]]>([
  ['took effect as before', true, true, []],
  ['took effect, of which nothing is known before', undefined, true, []],
  ['had no effect either', false, false, []],
  ['had no effect', true, false, [`authorization 1: had no effect, because ${reason}`]],
  [
    'had no effect, of which nothing is known before',
    undefined,
    false,
    [`authorization 1: had no effect, because ${reason}`],
  ],
  ['took effect now alone', false, true, ['authorization 1: took effect, recorded: none']],
  ['cannot be judged', true, undefined, ['authorization 1: the node does not tell whether it took effect']],
])('an authorization that %s is compared', (_case, was, is, differences) => {
  const { applied: _, ...plain } = signed(other);
  const one = was === undefined ? plain : { ...plain, applied: was };
  const recorded = aTransaction({ authorizations: [signed(other), one] });
  const effect = is === false ? { isApplied: is, reason } : { isApplied: is };
  expect(compareEffects(recorded, [1], [effect])).toEqual(differences);
});
