import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openForkPath } from '../../core/accounts/forkTokens.ts';
import { createSealer } from '../../core/accounts/seal.ts';
import { aKeyring } from '../../core/accounts/testing/keyrings.ts';
import { secretType } from '../../core/api/resources/resources.ts';
import { aSecret } from '../../core/api/testing/builders.ts';
import { evmHeadCall } from '../../core/chains/headCalls.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { createForkHeadReader, forkSourceOf } from './forkSource.ts';
import { createReferenceReader } from './references.ts';
import { aNetwork, anInstallation } from './testing/facts.ts';

const keys = { forks: aKeyring('fork key') };
const sealer = createSealer({ currentId: 'k1', keys: new Map([['k1', Buffer.alloc(32, 7)]]) });
const references = createReferenceReader(sealer);
const deps = { keys, references, caches: { secrets: { get: () => undefined } } };

it.each([
  [
    'of a chain type that has a source',
    { url: 'http://forks', types: ['Ethereum'] },
    /^http:\/\/forks\/forks\/Ethereum\/ws\/u-1\/.{24}$/,
  ],
  ['when only the fork proxy knows the types', { url: 'http://forks' }, /^http:\/\/forks\/forks\/Ethereum\//],
  ['of a chain type that has none', { url: 'http://forks', types: ['Base'] }, undefined],
  ['without a fork proxy', {}, undefined],
])('the URL for a fork %s', (_case, forks, expected) => {
  const { forkSource } = forkSourceOf({ ...deps, installation: anInstallation({ forks }) }, aNetwork());
  if (expected) expect(forkSource).toMatch(expected);
  else expect(forkSource).toBeUndefined();
});

describe('the source that a network names', () => {
  const forks = { url: 'http://forks', types: [], ownSources: { allowedHosts: ['node.example'] } };
  const network = aNetwork({ forking: { enabled: true, sourceRef: { name: 'source' } } });
  const url = 'https://node.example/THE-KEY';

  function sourceWith(type: string | undefined, text = url, installed: object = forks) {
    const place = { namespace: 'ws', name: 'source' };
    const data = sealer.seal(Buffer.from(text), { ...place, owner: 'user-1' });
    const stored = createFakeKube().seed(secretType, aSecret({ ...place, spec: { type: type ?? '', data } }));
    const secrets = { get: () => (type === undefined ? undefined : stored) };
    const installation = anInstallation({ forks: installed });
    return forkSourceOf({ ...deps, installation, caches: { secrets } }, network);
  }

  it('is in the URL of the fork proxy, which alone can read it, also where the installation has none', () => {
    const { forkSource = '' } = sourceWith('rpc-url');
    expect(forkSource).toMatch(/^http:\/\/forks\/forks\/Ethereum\/ws\/u-1\/own\/[A-Za-z0-9_-]+$/);
    expect(openForkPath(keys.forks, forkSource.slice('http://forks'.length))).toEqual({
      networkUid: 'u-1',
      workspace: 'ws',
      type: 'Ethereum',
      ownUrl: url,
    });
  });

  it.each([
    ['does not exist', undefined, url, forks, 'secret "source" does not exist'],
    ['is of another type', 'private-key', url, forks, 'use one of type rpc-url'],
    ['names another host', 'rpc-url', 'https://evil.example/THE-KEY', forks, 'allowedHosts: node.example'],
    ['is not allowed', 'rpc-url', url, { url: 'http://forks' }, 'does not allow own fork sources'],
  ])('that %s is refused, without its URL', (_case, type, text, installed, expected) => {
    const { forkSource, forkRefusal } = sourceWith(type, text, installed);
    expect([forkSource, forkRefusal?.refusal]).toEqual([undefined, expect.stringContaining(expected)]);
    expect(JSON.stringify(forkRefusal)).not.toMatch(/THE-KEY|evil/);
  });
});

describe('the latest block of a source', () => {
  const own = (sealed: string, workspace = `ws-${sealed}`) =>
    `${url.slice(0, url.lastIndexOf('/')).replace('/ws/', `/${workspace}/`)}/own/${sealed}`;
  let asked = 0;
  let answer = '';
  const server = createServer((_request, response) => {
    asked += 1;
    response.end(answer);
  });
  let url: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/forks/Base/ws/u-1/THE-TOKEN-OF-THE-NETWORK`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  it('is read as a number', async () => {
    answer = '{"jsonrpc":"2.0","id":0,"result":"0x10"}';
    expect(await createForkHeadReader({ clock: systemClock })(url, evmHeadCall)).toEqual({ block: 16 });
  });

  it('is a few characters: of a longer answer nothing is parsed', async () => {
    answer = `{"jsonrpc":"2.0","id":0,"result":"0x10","more":"${'0'.repeat(65_536)}"}`;
    expect(await createForkHeadReader({ clock: systemClock })(url, evmHeadCall)).toEqual({
      problem: expect.stringContaining('longer than 65536 bytes'),
    });
  });

  it('or what the source says instead, which is asked once in 20 s for all networks', async () => {
    answer =
      '{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"no source at THE-TOKEN-OF-THE-NETWORK"}}';
    const clock = createManualClock();
    const read = createForkHeadReader({ clock });
    const before = asked;
    expect(await read(url, evmHeadCall)).toEqual({ problem: 'no source at [fork source]' });
    expect(await read(url.replace('ws/u-1', 'other/u-2'), evmHeadCall)).toEqual({
      problem: 'no source at [fork source]',
    });
    expect(asked - before).toBe(1);
    await clock.advance(20_000);
    await read(url, evmHeadCall);
    expect(asked - before).toBe(2);
  });

  it('is asked for by four networks at a time, so that a slow source does not keep every worker', async () => {
    answer = '{"jsonrpc":"2.0","id":0,"result":"0x10"}';
    const read = createForkHeadReader({ clock: systemClock });
    const heads = await Promise.all(Array.from({ length: 6 }, () => read(url, evmHeadCall)));
    expect(heads.filter((head) => 'block' in head)).toHaveLength(4);
    expect(heads.filter((head) => 'problem' in head && head.isPassing)).toHaveLength(2);
    expect(await read(url, evmHeadCall)).toEqual({ block: 16 });
  });

  it('at sources of workspaces is read apart: they keep no other fork waiting, and fail alone', async () => {
    const clock = createManualClock();
    const read = createForkHeadReader({ clock });
    answer = '{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"no"}}';
    expect(await read(own('first'), evmHeadCall)).toEqual({ problem: 'no' });
    answer = '{"jsonrpc":"2.0","id":0,"result":"0x10"}';
    const heads = await Promise.all([
      ...['a', 'b', 'c', 'd', 'e'].map((sealed) => read(own(sealed), evmHeadCall)),
      read(url, evmHeadCall),
    ]);
    expect(heads.map((head) => 'block' in head)).toEqual([true, true, true, true, false, true]);
  });

  it('is read next for the account that was refused first, however often others ask', async () => {
    const read = createForkHeadReader({ clock: createManualClock() });
    answer = '{"jsonrpc":"2.0","id":0,"result":"0x10"}';
    const askedFor = async () => {
      const workspaces = ['greedy', 'greedy', 'eager', 'eager', 'modest'];
      const heads = await Promise.all(workspaces.map((name) => read(own(name, name), evmHeadCall)));
      return heads.map((head) => 'block' in head);
    };
    expect(await askedFor()).toEqual([true, true, true, true, false]);
    expect(await askedFor()).toEqual([true, true, true, false, true]);
  });

  it('is read at two sources of an account at a time, whatever number of workspaces it has', async () => {
    const shareOf = (workspace: string) => workspace.replace(/-\d$/, '');
    const read = createForkHeadReader({ clock: createManualClock(), shareOf });
    answer = '{"jsonrpc":"2.0","id":0,"result":"0x10"}';
    const workspaces = ['greedy-1', 'greedy-2', 'greedy-3', 'greedy-4', 'modest-1'];
    const heads = await Promise.all(workspaces.map((name) => read(own(name, name), evmHeadCall)));
    expect(heads.map((head) => 'block' in head)).toEqual([true, true, false, false, true]);
  });
});
