import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aKeyring } from '../../core/accounts/testing/keyrings.ts';
import { evmHeadCall } from '../../core/chains/headCalls.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { createForkHeadReader, forkSourceOf } from './forkSource.ts';
import { aNetwork, anInstallation } from './testing/facts.ts';

const keys = { forks: aKeyring('fork key') };

it.each([
  [
    'of a chain type that has a source',
    { url: 'http://forks', types: ['Ethereum'] },
    /^http:\/\/forks\/forks\/Ethereum\/u-1\/.{24}$/,
  ],
  ['when only the fork proxy knows the types', { url: 'http://forks' }, /^http:\/\/forks\/forks\/Ethereum\//],
  ['of a chain type that has none', { url: 'http://forks', types: ['Base'] }, undefined],
  ['without a fork proxy', {}, undefined],
])('the URL for a fork %s', (_case, forks, expected) => {
  const url = forkSourceOf({ installation: anInstallation({ forks }), keys }, aNetwork());
  if (expected) expect(url).toMatch(expected);
  else expect(url).toBeUndefined();
});

describe('the latest block of a source', () => {
  let asked = 0;
  let answer = '';
  const server = createServer((_request, response) => {
    asked += 1;
    response.end(answer);
  });
  let url: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/forks/Base/u-1/THE-TOKEN-OF-THE-NETWORK`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  it('is read as a number', async () => {
    answer = '{"jsonrpc":"2.0","id":0,"result":"0x10"}';
    expect(await createForkHeadReader({ clock: systemClock })(url, evmHeadCall)).toEqual({ block: 16 });
  });

  it('or what the source says instead, which is asked once in 20 s for all networks', async () => {
    answer =
      '{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"no source at THE-TOKEN-OF-THE-NETWORK"}}';
    const clock = createManualClock();
    const read = createForkHeadReader({ clock });
    const before = asked;
    expect(await read(url, evmHeadCall)).toEqual({ problem: 'no source at [fork source]' });
    expect(await read(url.replace('u-1', 'u-2'), evmHeadCall)).toEqual({
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
});
