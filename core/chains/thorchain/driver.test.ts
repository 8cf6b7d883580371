import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ThorchainSpec } from '../../api/resources/chainSpecs.ts';
import { aSetOf } from '../../engines/testing/engineSets.ts';
import { planContext } from '../testing/planContext.ts';
import { thorchain } from './driver.ts';
import { genesisPath, renderStartScript, scriptPath } from './startScript.ts';

const hotAddress = 'tthor15428vq2uzwhm3taey9sr9x5vm6tk78ewmya5zr';
const allowedImages = ['registry.example/thornode:*'];
const engines = aSetOf({ thornode: { allowedImages } });

function planOf(spec: ThorchainSpec = {}, hot: string | undefined = hotAddress) {
  const chain = { type: 'Thorchain', thorchain: spec } as const;
  const base = { chain, chainId: 'thorchain-0a0b0c0d', mnemonicAddresses: [], ...planContext };
  return thorchain.plan({ ...base, ...(hot === '' ? {} : { hotAddress: hot }) });
}

const partOf = (...given: Parameters<typeof planOf>) => {
  const [part] = planOf(...given).parts;
  if (!part) throw new Error('the plan has no part');
  return part;
};
const genesisOf = (...given: Parameters<typeof planOf>) =>
  JSON.parse(partOf(...given).files[genesisPath] ?? '');

it('plans one node', () => {
  const { files, ...part } = partOf();
  expect({ ...planOf(), parts: [part] }).toMatchSnapshot();
  expect(files).toMatchSnapshot();
});

it('has the values of the spec in its genesis', () => {
  const genesis = genesisOf({
    accountBalance: '123',
    bondAmount: '45600000000',
    blockMaxBytes: 200_000,
    blockMaxGas: 30_000_000,
  });
  expect(genesis.chain_id).toBe('thorchain-0a0b0c0d');
  expect(genesis.consensus.params.block).toEqual({ max_bytes: '200000', max_gas: '30000000' });
  expect(genesis.consensus.params.evidence.max_bytes).toBe('200000');
  const { bank, thorchain: state } = genesis.app_state;
  expect(bank.balances).toContainEqual({ address: hotAddress, coins: [{ denom: 'rune', amount: '123' }] });
  expect(state.node_accounts).toMatchObject([{ bond: '45600000000', bond_address: hotAddress }]);
});

it('holds all bonds in the module account, as an invariant requires', () => {
  for (const spec of [{}, { bondAmount: '7' }]) {
    const { bank, thorchain: state } = genesisOf(spec).app_state;
    const holder = 'tthor17gw75axcnr8747pkanye45pnrwk7p9c3uhzgff';
    const held = bank.balances.find(({ address }: { address: string }) => address === holder);
    expect(held.coins[0].amount).toBe(state.node_accounts[0].bond);
  }
});

it('has no coins with the amount 0, which a genesis must not have', () => {
  expect(genesisOf({ accountBalance: '0', bondAmount: '0' }).app_state.bank.balances).toHaveLength(1);
});

it('warns that no transaction fits into blocks with limited gas', () => {
  expect(planOf({ blockMaxGas: -1 }).caveats).toEqual(planOf().caveats);
  expect(planOf({ blockMaxGas: 30_000_000 }).caveats.at(-1)).toMatch(/keeps every transaction out/);
});

it('gives the bond to the node itself when there is no hot key', () => {
  const [node] = genesisOf({}, '').app_state.thorchain.node_accounts;
  expect(node.bond_address).toBe(node.node_address);
});

const refused: [string, ThorchainSpec, string, RegExp][] = [
  ['a fork of THORChain', { forking: { enabled: true } }, 'forking', /prefix.*Omit it/],
  ['a foreign image', { image: 'evil/thornode:1' }, 'image', /use registry\.example\/thornode:\*/],
  ['too small a block', { blockMaxBytes: 9999 }, 'blockMaxBytes', /at least 10000/],
];

it.each(refused)('refuses %s', (_reason, spec, field, message) => {
  expect(thorchain.refuse?.({ type: 'Thorchain', thorchain: spec }, engines)).toEqual([
    { path: `spec.chain.thorchain.${field}`, message: expect.stringMatching(message) },
  ]);
});

it("accepts a bare tag: one of the repository of the installation's image", () => {
  const image = 'registry.example/thornode:usual';
  const own = aSetOf({ thornode: { image, allowedImages } });
  const refusalOf = (image: string) => thorchain.refuse?.({ type: 'Thorchain', thorchain: { image } }, own);
  expect(refusalOf('mocknet-3.10')).toEqual([]);
  expect(partOf({ image: 'mocknet-3.10' }).image).toBe(':mocknet-3.10');
  const strict = aSetOf({ thornode: image });
  expect(thorchain.refuse?.({ type: 'Thorchain', thorchain: { image: 'other' } }, strict)).toEqual([
    expect.objectContaining({
      message: expect.stringContaining('"registry.example/thornode:other" is not allowed'),
    }),
  ]);
});

it('accepts an allowed image, and a fork that is switched off', () => {
  const spec = { image: 'registry.example/thornode:mocknet', forking: { enabled: false } };
  expect(thorchain.refuse?.({ type: 'Thorchain', thorchain: spec }, engines)).toEqual([]);
  expect(partOf(spec).image).toBe('registry.example/thornode:mocknet');
});

/** A stub of thornode: answers like it, and logs its calls. */
const standIn = `#!/bin/sh
echo "$*" >> "$HOME/calls"
case $1 in
  init)
    /bin/mkdir -p "$HOME/.thornode/config"
    printf '{\\n  "genesis_time": "2030-01-02T03:04:05.6Z",\\n  "app_state": {}\\n}' > "$HOME/.thornode/config/genesis.json" ;;
  keys)
    [ "$2" = add ] && : > "$HOME/key"
    [ -e "$HOME/key" ] || exit 1
    [ "$4" = --address ] && echo tthornode || echo key ;;
  comet) echo consensus ;;
  pubkey) [ "$2" = --bech ] && echo tthorcpub || echo tthorpub ;;
esac
exit 0
`;

it('creates keys and genesis once, and afterwards only runs the node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-thornode-'));
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
  put('thornode', standIn);
  chmodSync(join(folder, 'thornode'), 0o755);
  put('genesis.json', partOf().files[genesisPath] ?? '');
  const script = renderStartScript(folder).replace(genesisPath, join(folder, 'genesis.json'));
  put('start.sh', script);
  const start = () =>
    execFileSync('/bin/sh', [join(folder, 'start.sh'), '--flag'], {
      // Only sh and thornode, as in the smallest images.
      env: { PATH: folder, CHAIN_ID: 'chain-1; id' },
    });
  start();
  start();
  const genesis = JSON.parse(readFileSync(join(folder, '.thornode/config/genesis.json'), 'utf8'));
  expect(genesis.genesis_time).toBe('2030-01-02T03:04:05.6Z');
  expect(genesis.app_state.thorchain.node_accounts).toMatchObject([
    {
      node_address: 'tthornode',
      validator_cons_pub_key: 'tthorcpub',
      pub_key_set: { secp256k1: 'tthorpub', ed25519: 'tthorpub' },
    },
  ]);
  expect(JSON.stringify(genesis)).not.toContain('@NODE');
  const calls = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
  expect(calls.filter((call) => call.startsWith('init'))).toEqual([
    'init slipway --overwrite --chain-id chain-1; id',
  ]);
  expect(calls.filter((call) => call.startsWith('keys add'))).toHaveLength(1);
  expect(calls.slice(-2)).toEqual(['start --flag', 'start --flag']);
  expect(partOf().command).toEqual(['/bin/sh', scriptPath]);
  rmSync(folder, { recursive: true });
});
