import { generateKeyPairSync } from 'node:crypto';
import { createScene } from './testing/scene.ts';
import { assertionOf, credentials } from './testing/world.ts';

const scene = createScene();

describe('who may use it', () => {
  it.each([
    ['no token', undefined],
    ['another token', `${credentials.token}x`],
  ])('nobody with %s', async (_reason, token) => {
    const headers = { authorization: token === undefined ? '' : `Bearer ${token}` };
    const answer = await scene.world.send('GET', '/wallets', { headers });
    expect(answer).toEqual({
      status: 401,
      body: { error: { message: expect.stringContaining('authToken') } },
    });
  });

  const text = JSON.stringify({ network: 'Ethereum', name: 'signed' });
  const sendSigned = (token: string, method = 'POST', path = '/wallets', body = text) =>
    scene.world.send(method, path, { text: body, headers: { 'x-dfns-useraction': token } });

  it('a signature is used once', async () => {
    const token = await scene.world.userAction('POST', '/wallets', text);
    expect((await sendSigned(token)).status).toBe(200);
    expect((await sendSigned(token)).status).toBe(403);
  });

  it.each([
    ['payload', 'POST', '/wallets', text.replace('signed', 'other')],
    ['path', 'POST', '/keys', text],
    ['method', 'PUT', '/wallets', text],
  ])('a signature is for no other %s', async (_what, method, path, payload) => {
    const token = await scene.world.userAction(method, path, payload);
    expect((await sendSigned(token)).status).toBe(403);
  });

  it('nothing is changed without a signature', async () => {
    expect((await scene.world.send('POST', '/wallets', { text })).status).toBe(403);
  });

  it('a signature by another key, or of another challenge, is refused', async () => {
    const init = { userActionPayload: '', userActionHttpMethod: 'POST', userActionHttpPath: '/wallets' };
    const challengeOf = async () =>
      (await scene.world.send('POST', '/auth/action/init', { text: JSON.stringify(init) })).body;
    const other = generateKeyPairSync('ed25519')
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString();
    const [one, two] = [await challengeOf(), await challengeOf()];
    const mixed = { ...assertionOf(one), challengeIdentifier: two.challengeIdentifier };
    for (const assertion of [assertionOf(one, other), mixed]) {
      expect(
        (await scene.world.send('POST', '/auth/action', { text: JSON.stringify(assertion) })).status,
      ).toBe(401);
    }
  });
});

describe('what is not served', () => {
  it.each([
    ['a part of Dfns that is not here', 'GET', '/webhooks', 501],
    ['a part of wallets that is not here', 'GET', '/wallets/wa-1/nfts', 501],
    ['what Dfns does not have either', 'GET', '/nothing', 404],
    ['a wallet that does not exist', 'GET', '/wallets/wa-1', 404],
    ['a page that is too large', 'GET', '/wallets?limit=5000', 400],
    ['a page that does not exist', 'GET', '/wallets?paginationToken=x', 400],
  ])('%s', async (_reason, method, path, status) => {
    const answer = await scene.world.ask(method, path);
    expect(answer).toEqual({ status, body: { error: { message: expect.any(String) } } });
  });

  it.each([
    ['another network', { network: 'Solana' }, /network: this network serves Ethereum, EthereumSepolia/],
    ['a member that means nothing here', { network: 'Ethereum', delegateTo: 'us-1' }, /delegateTo/],
  ])('a wallet on %s', async (_reason, body, message) => {
    const answer = await scene.world.ask('POST', '/wallets', body);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(message) } },
    });
  });

  it('a body that is too large', async () => {
    const answer = await scene.world.send('POST', '/auth/action/init', { text: 'x'.repeat(600_000) });
    expect(answer).toMatchObject({
      status: 413,
      body: { error: { message: expect.stringContaining('512 KiB') } },
    });
  });
});
