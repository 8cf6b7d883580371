import { spawnSync } from 'node:child_process';
import { parse } from 'yaml';
import { operations } from '../../../../core/api/operations/operations.ts';
import { SlipwayError } from '../../../../sdk/src/error.ts';
import type { Network } from '../../../../sdk/src/generated/types.ts';
import { chainTypes } from '../../lib/chains.ts';
import { bodyIn, newKeyIn } from './body.ts';
import { errorsOf } from './errors.ts';
import { emptyForm, fieldsOf, formFor, keyFor, type NetworkForm, toBody } from './form.ts';
import { startLike } from './like.ts';
import { createSearch } from './search.ts';
import { snippetsOf } from './snippets.ts';

const aForm = (changes: Partial<NetworkForm> = {}): NetworkForm => ({
  ...emptyForm,
  name: 'my-net',
  ...changes,
});

describe('the request body of a form', () => {
  test('is what somebody would write by hand', () => {
    expect(toBody(aForm())).toEqual({
      name: 'my-net',
      spec: { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'my-net-key' } } } },
    });
  });

  test('funds the development accounts where EVM chains are asked to', () => {
    const chainOf = (type: NetworkForm['type']) =>
      toBody(aForm({ type, hasDevelopmentAccounts: true })).spec.chain;
    expect(chainOf('Base')).toMatchObject({ base: { developmentAccounts: true } });
    expect(JSON.stringify(chainOf('Solana'))).not.toContain('developmentAccounts');
  });

  test('begins from a snapshot with the type of its chain', () => {
    expect(toBody({ ...formFor('before', 'Base'), name: 'copy' })).toMatchObject({
      spec: { from: { snapshot: 'before' }, chain: { type: 'Base' } },
    });
    expect([createSearch({ from: 'before', type: 'Base' }), createSearch({ from: 1, type: 'X' })]).toEqual([
      { from: 'before', type: 'Base' },
      {},
    ]);
  });

  test('has everything that was filled in', () => {
    const form = aForm({
      type: 'Base',
      key: { mode: 'existing', name: 'hot' },
      chainID: '8453',
      blockTime: '2',
      profile: 'real',
      isFork: true,
      forkBlock: '100',
      plugins: ['graph'],
      idleAfter: ' 30m ',
      labels: 'team=core, ci = yes',
    });
    expect(toBody(form)).toEqual({
      name: 'my-net',
      metadata: { labels: { team: 'core', ci: 'yes' } },
      spec: {
        idleAfter: '30m',
        chain: {
          type: 'Base',
          base: {
            chainID: '8453',
            profile: 'real',
            blockTime: 2,
            privateKeyRef: { name: 'hot' },
            forking: { enabled: true, blockHeight: '100' },
            plugins: { graph: {} },
          },
        },
      },
    });
  });

  test('leaves out what was filled in for another type', () => {
    const form = aForm({
      type: 'LayerZero',
      members: ['a', 'b'],
      blockTime: '2',
      plugins: ['graph'],
      from: 's',
    });
    const networks = [{ networkRef: { name: 'a' } }, { networkRef: { name: 'b' } }];
    expect(toBody(form).spec).toEqual({ chain: { type: 'LayerZero', layerzero: { networks } } });
  });

  test.each(chainTypes)('of type %s with everything that it offers is valid', (type) => {
    const { plugins, members, clients } = fieldsOf(type);
    const form = aForm({
      type,
      key: keyFor(type),
      chainID: '4242',
      blockTime: '2',
      gasLimit: '30000000',
      hasClients: clients,
      plugins: [...plugins],
      members: members ? ['a', 'b'] : [],
      accountBalance: '1000',
      bondAmount: '1000',
      profile: 'light',
      idleAfter: '1h',
      expiresAfter: '24h',
      labels: 'a=b',
    });
    const found = operations.createNetwork.body.safeParse(toBody(form));
    expect(found.error?.issues ?? []).toEqual([]);
  });

  test('anything but a number reaches the service, which says so', () => {
    expect(toBody(aForm({ blockTime: 'fast' })).spec.chain.ethereum?.blockTime).toBe('fast');
  });
});

test('every error of the API is at its field, or in the list', () => {
  const details = [
    { path: 'name', message: 'is taken' },
    { path: 'spec.chain.ethereum.privateKeyRef.name', message: 'is not a name' },
    { path: 'spec.chain.ethereum.participants[0].elType', message: 'is unknown' },
    { path: 'spec.chain.base.blockTime', message: 'must be a number' },
    { path: 'spec.idleAfter', message: 'is too long' },
    { path: 'spec.chain.ethereum.color', message: 'is unknown' },
  ];
  const error = new SlipwayError('invalid', { status: 400, reason: 'BadRequest', details });
  expect(errorsOf(error)).toEqual({
    at: {
      name: 'is taken',
      key: 'is not a name',
      elType: 'is unknown',
      blockTime: 'must be a number',
      idleAfter: 'is too long',
    },
    rest: ['spec.chain.ethereum.color: is unknown'],
    error,
  });
  expect(errorsOf(new Error('no answer')).rest).toEqual(['no answer']);
});

describe('the same as', () => {
  const body = toBody(aForm({ labels: "owner=o'neil", blockTime: '2' }));
  const named = (wanted: string) => snippetsOf(body, 'ws-1').find(({ name }) => name === wanted)?.text ?? '';
  /** What a shell makes of a command, an argument a line. */
  const wordsOf = (command: string) =>
    spawnSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; slipway() { curl "$@"; }; ${command}`], {
      env: { SLIPWAY_URL: 'https://slipway.example', SLIPWAY_API_KEY: 'id.secret' },
    })
      .stdout.toString()
      .split('\0');

  test('curl', () => {
    const words = wordsOf(named('curl'));
    expect(words).toContain('https://slipway.example/v1alpha/networks');
    expect(JSON.parse(words[words.indexOf('-d') + 1] ?? '')).toEqual(body);
  });

  test('a command', () => {
    const words = wordsOf(named('CLI'));
    expect(words.slice(0, 3)).toEqual(['network', 'create', 'my-net']);
    expect(words.join(' ')).toContain("--key my-net-key --label owner=o'neil --wait");
    expect(words.join(' ')).toContain('--block-time 2');
  });

  test('a command that forks at the latest block where the form names none', () => {
    const fork = toBody(aForm({ isFork: true, forkBlock: '' }));
    expect(fork.spec.chain.ethereum?.forking).toEqual({ enabled: true });
    expect(snippetsOf(fork, 'ws-1')[1]?.text).toContain(' --fork latest ');
  });

  test('a key that the form creates is created by the command, and named before everything else', () => {
    const [curl, cli, sdk, yaml] = snippetsOf(body, 'ws-1', 'my-net-key').map(({ text }) => text);
    expect(wordsOf(cli ?? '').join(' ')).toContain('--new-key --label');
    expect(wordsOf(curl ?? '')).toContain('https://slipway.example/v1alpha/networks');
    for (const text of [curl, sdk, yaml])
      expect(text).toMatch(/^(#|\/\/) First: slipway secret create my-net-key --random\n/);
    const participants = toBody(aForm({ hasClients: true }));
    expect(snippetsOf(participants, 'ws-1', 'my-net-key')[1]?.text).toMatch(
      /^slipway secret create my-net-key --random\nslipway apply/,
    );
  });

  test('a command with the manifest where it has no options', () => {
    const participants = toBody(aForm({ hasClients: true }));
    const [, cli] = snippetsOf(participants, 'ws-1');
    expect(cli?.text).toMatch(/^slipway apply -f - <<'EOF'\napiVersion/);
  });

  test('a manifest', () => {
    const manifest = parse(named('YAML'));
    expect([manifest.kind, manifest.metadata.name, manifest.spec]).toEqual(['Network', 'my-net', body.spec]);
  });
});

describe('a network like another one', () => {
  const networkOf = (spec: object) =>
    ({ name: 'first', metadata: { labels: { team: 'core' } }, spec }) as unknown as Network;

  test('begins in the form where that shows all of its settings', () => {
    const ethereum = { privateKeyRef: { name: 'hot' }, blockTime: 2, plugins: { graph: {} } };
    const spec = { idleAfter: '30m', chain: { type: 'Ethereum', ethereum } };
    const asked = { maintenanceRequest: { action: 'Restart', nonce: 'x' } };
    const { form, json } = startLike(networkOf({ ...spec, ...asked }));
    expect(json).toBeUndefined();
    expect(toBody({ ...form, name: 'second' })).toEqual({
      name: 'second',
      metadata: { labels: { team: 'core' } },
      spec,
    });
  });

  test('begins as JSON where it has more, and loses nothing', () => {
    const participants = [{ elType: 'geth', clType: 'prysm', count: 2, elImage: 'geth:1' }];
    const spec = { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'hot' }, participants } } };
    expect(JSON.parse(startLike(networkOf(spec)).json ?? '')).toMatchObject({ name: '', spec });
  });

  test('connects the members of a LayerZero network again', () => {
    const networks = [{ networkRef: { name: 'a' } }, { networkRef: { name: 'b' } }];
    expect(startLike(networkOf({ chain: { type: 'LayerZero', layerzero: { networks } } }))).toMatchObject({
      form: { members: ['a', 'b'] },
    });
  });
});

test.each([
  '',
  '5',
  '{}',
  '{"spec":null}',
  '{"spec":{}}',
  '{"spec":{"chain":{}}}',
  '{"name":5,"spec":{"chain":{"type":"Base"}}}',
])('while the JSON is %s, there is no body', (json) => {
  expect(bodyIn(json)).toBeUndefined();
});

test('the new key of the form is created as long as the body refers to it', () => {
  const form = aForm({});
  const body = toBody(form);
  expect(newKeyIn(bodyIn(JSON.stringify(body)) ?? body, form)).toBe('my-net-key');
  const other = JSON.stringify(body).replace('my-net-key', 'hot-key');
  expect(newKeyIn(bodyIn(other) ?? body, form)).toBeUndefined();
  expect(newKeyIn(body, aForm({ key: { mode: 'existing', name: 'my-net-key' } }))).toBeUndefined();
});
