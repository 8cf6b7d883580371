import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { callRpc } from '../testing/startAnvil.ts';
import { describeReal } from './testing/describeReal.ts';

describeReal(
  {
    type: 'Avalanche',
    engines: ['avalanchego'],
    // The limit moves to it by 1/1024 a block, from 10 million on.
    spec: { gasLimit: 10_040_000 },
    gasLimit: 10_040_000,
    blockTime: 2,
    isIdle: true,
  },
  (chain) => {
    it('has the rules that the public chain has: ACP-204, ACP-176 and ACP-226', async () => {
      const { url } = chain();
      const call = { to: `0x${'100'.padStart(40, '0')}`, data: signedWithP256() };
      expect(await callRpc(url, 'eth_call', call, 'latest')).toBe(`0x${'1'.padStart(64, '0')}`);
      expect(await callRpc(url, 'eth_getBlockByNumber', 'latest', false)).toMatchObject({
        baseFeePerGas: '0x1',
        minDelayExcess: expect.any(String),
      });
    });

    it('has accepted every block, and traces transactions', async () => {
      const { url } = chain();
      const [latest, final] = await Promise.all(
        ['latest', 'finalized'].map((tag) => callRpc(url, 'eth_getBlockByNumber', tag, false)),
      );
      expect(final).toEqual(latest);
      const { transactions } = latest as { transactions: string[] };
      expect(await callRpc(url, 'debug_traceTransaction', transactions[0])).toMatchObject({ failed: false });
    });

    it("serves neither the node's own methods nor its other chains", async () => {
      const { url } = chain();
      const platform = await fetch(`${url}/ext/bc/P`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'platform.getHeight' }),
      });
      expect(await platform.json()).toMatchObject({ error: { code: -32601 } });
    });
  },
);

/** What the precompile of ACP-204 verifies: hash, signature and public key. */
function signedWithP256(): string {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const message = Buffer.from('message');
  const hash = createHash('sha256').update(message).digest();
  const signature = sign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const point = [x, y].map((coordinate) => Buffer.from(coordinate, 'base64url'));
  return `0x${Buffer.concat([hash, signature, ...point]).toString('hex')}`;
}
