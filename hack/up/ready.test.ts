import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { keyOfToken, waitForApi } from './ready.ts';

const limits = { allMs: 5_000, refusedMs: 1 };
const first = { keyId: 'first', keySecret: 'secret' };
const own = { keyId: 'own', keySecret: 'secret' };

let server: Server;
let url: string;
/** The ids of the keys that the API accepts; while it starts, it answers 502. */
let accepted: string[];
let starting: number;
beforeEach(async () => {
  accepted = [];
  starting = 0;
  server = createServer(({ headers }, response) => {
    starting -= 1;
    const isKnown = accepted.includes(String(headers['x-api-key-id']));
    response.statusCode = starting >= 0 ? 502 : isKnown ? 200 : 401;
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => server.close());

it('waits until the API accepts the first key', async () => {
  accepted = ['first'];
  starting = 2;
  expect(await waitForApi(url, [first], limits)).toEqual(first);
});

it('takes the key that was given once the first one is revoked', async () => {
  accepted = ['own'];
  expect(await waitForApi(url, [first, own], limits)).toEqual(own);
});

it('says how to go on when the first key is revoked and no other was given', async () => {
  await expect(waitForApi(url, [first], limits)).rejects.toThrow('SLIPWAY_API_KEY=<key> make up');
});

it('says what answers instead of the API', async () => {
  starting = 1_000;
  await expect(waitForApi(url, [first], { ...limits, allMs: 1 })).rejects.toThrow('not reachable: HTTP 502');
});

it.each([
  ['a key', 'k1.secret', { keyId: 'k1', keySecret: 'secret' }],
  ['no key', undefined, undefined],
  ['something else', 'nonsense', undefined],
])('reads %s as one text', (_what, token, expected) => {
  expect(keyOfToken(token)).toEqual(expected);
});
