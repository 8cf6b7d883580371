import { HDNodeWallet, type Wallet } from 'ethers';
import {
  type AccountsApi,
  accountsApiOver,
  admin,
  startAccountsApi,
} from '../../../../apiserver/testing/accountsApi.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { createManualClock } from '../../../../core/lib/manualClock.ts';
import { signInTicketType } from '../../api/resources/ticket.ts';
import { createBrowser } from './testing/browser.ts';

const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
const phrase = 'test test test test test test test test test test test junk';
const [mine, other] = [0, 1].map((index) =>
  HDNodeWallet.fromPhrase(phrase, undefined, `m/44'/60'/0'/0/${index}`),
) as [HDNodeWallet, HDNodeWallet];
let world: AccountsApi;
let browser: ReturnType<typeof createBrowser>;
beforeEach(async () => {
  world = await startAccountsApi({ clock, publicUrl: 'https://slipway.example:8443' });
  browser = createBrowser(world);
});
afterEach(() => world.api.close());

type Browser = ReturnType<typeof createBrowser>;
async function challengeOf(from: Browser, address: string, path = '/sign-in/wallet/challenge') {
  const { json, status } = await from.send(path, { body: { address } });
  expect(status).toBe(201);
  return json as { message: string; challenge: string };
}
async function proofOf(from: Browser, wallet: Pick<Wallet, 'address' | 'signMessage'>, path?: string) {
  const { message, challenge } = await challengeOf(from, wallet.address, path);
  return { challenge, signature: await wallet.signMessage(message) };
}
const signIn = (from: Browser, proof: object) => from.send('/sign-in/wallet', { body: proof });

async function link(wallet = mine) {
  const owner = createBrowser(world);
  await owner.send('/sessions', { body: { apiKey: admin } });
  const proof = await proofOf(owner, wallet, '/identities/wallet');
  return { owner, proof, linked: await owner.send('/identities', { body: { wallet: proof } }) };
}

test('a wallet that is linked signs in', async () => {
  const { linked } = await link();
  expect(linked.json).toMatchObject({ type: 'wallet', address: mine.address, userID: 'admin' });
  const { status, json } = await signIn(browser, await proofOf(browser, mine));
  expect([status, json.method, json.userID]).toEqual([201, 'wallet', 'admin']);
  expect((await browser.me()).user.id).toBe('admin');
});

test('each request is one look-up of what may be unknown, and none is refused once its challenge is used up', async () => {
  await link();
  const statuses: number[] = [];
  for (let count = 0; count < 21; count += 1)
    statuses.push((await signIn(createBrowser(world), await proofOf(browser, mine))).status);
  // What one source may look up at once; the clock stands still.
  expect(statuses).toEqual([...Array(20).fill(201), 503]);
});

test('the message is that of EIP-4361, for this installation', async () => {
  const { message } = await challengeOf(browser, mine.address.toLowerCase());
  const nonce = /Nonce: ([0-9a-f]{32})/.exec(message)?.[1];
  expect(message).toBe(
    `slipway.example:8443 wants you to sign in with your Ethereum account:
${mine.address}

Sign in to Slipway.

URI: https://slipway.example:8443
Version: 1
Chain ID: 1
Nonce: ${nonce}
Issued At: 2030-01-01T00:00:00Z
Expiration Time: 2030-01-01T00:10:00Z`,
  );
});

test('a wallet that is not linked signs nobody in, and makes no account', async () => {
  const { status, json } = await signIn(browser, await proofOf(browser, mine));
  expect([status, json.message]).toEqual([403, expect.stringContaining('no account here belongs to')]);
});

describe('a signature', () => {
  beforeEach(() => link());

  test('counts once, on every replica', async () => {
    const replica = await accountsApiOver(world.kube, { clock, publicUrl: 'https://slipway.example:8443' });
    const proof = await proofOf(browser, mine);
    expect((await signIn(browser, proof)).status).toBe(201);
    expect((await signIn(browser, proof)).status).toBe(401);
    expect((await signIn(createBrowser(replica), proof)).status).toBe(401);
    await replica.api.close();
  });

  test('of two requests at a time, one is accepted', async () => {
    const proof = await proofOf(browser, mine);
    const answers = await Promise.all([1, 2].map(() => signIn(createBrowser(world), proof)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401]);
  });

  test('counts again for a repeated request whose session could not be opened', async () => {
    const proof = await proofOf(browser, mine);
    const headers = { 'Idempotency-Key': 'one' };
    const repeat = () => browser.send('/sign-in/wallet', { body: proof, headers });
    const error = new AppError('Unavailable', 'kube-apiserver did not answer');
    world.kube.failNext({ verb: 'create', kind: 'Session', error });
    expect((await repeat()).status).toBe(503);
    expect((await signIn(browser, proof)).status).toBe(401);
    expect((await repeat()).status).toBe(201);
  });

  test('counts for ten minutes', async () => {
    const proof = await proofOf(browser, mine);
    clock.advance(600_000);
    expect((await signIn(browser, proof)).status).toBe(401);
  });

  test('of another key is refused, and uses nothing up', async () => {
    const { message, challenge } = await challengeOf(browser, mine.address);
    const wrong = await signIn(browser, { challenge, signature: await other.signMessage(message) });
    expect([wrong.status, wrong.json.message]).toEqual([401, expect.stringContaining('not that of the key')]);
    const right = await signIn(browser, { challenge, signature: await mine.signMessage(message) });
    expect(right.status).toBe(201);
  });

  test('under another message is refused', async () => {
    const { message, challenge } = await challengeOf(browser, mine.address);
    const signature = await mine.signMessage(message.replace('slipway.example', 'evil.example'));
    expect((await signIn(browser, { challenge, signature })).status).toBe(401);
  });

  test('under a challenge that somebody made up is refused', async () => {
    const signature = await mine.signMessage('x');
    expect((await signIn(browser, { challenge: 'slipway:v2:k1:AAAA:AAAA', signature })).status).toBe(401);
  });

  test('to link is none to sign in, and the other way round', async () => {
    const { owner, proof } = await link(other);
    expect((await signIn(browser, proof)).status).toBe(401);
    const forSignIn = await proofOf(owner, mine);
    expect((await owner.send('/identities', { body: { wallet: forSignIn } })).status).toBe(401);
  });
});

test('wallets of strangers leave no more in the cluster than their address may look up', async () => {
  const statuses = [];
  for (let n = 0; n < 30; n += 1) {
    const stranger = HDNodeWallet.createRandom();
    statuses.push((await signIn(browser, await proofOf(browser, stranger))).status);
  }
  expect(new Set(statuses)).toEqual(new Set([403, 503]));
  expect((await world.kube.list(signInTicketType)).items.length).toBeLessThanOrEqual(20);
});

test('a wallet belongs to one user', async () => {
  await link();
  const dev = await world.join('dev@example.com', 'developer');
  await browser.send('/sessions', { body: { apiKey: dev.token } });
  const proof = await proofOf(browser, mine, '/identities/wallet');
  expect((await browser.send('/identities', { body: { wallet: proof } })).status).toBe(409);
});

test('the challenge of one user links nothing to another', async () => {
  const { owner } = await link();
  const dev = await world.join('dev@example.com', 'developer');
  await browser.send('/sessions', { body: { apiKey: dev.token } });
  const proof = await proofOf(owner, other, '/identities/wallet');
  expect((await browser.send('/identities', { body: { wallet: proof } })).status).toBe(401);
});

test('an installation can do without wallets', async () => {
  const without = await startAccountsApi({ clock, signIn: { wallets: { enabled: false, chainId: 1 } } });
  const { status, json } = await createBrowser(without).send('/sign-in/wallet/challenge', {
    body: { address: mine.address },
  });
  expect([status, json.message]).toEqual([403, expect.stringContaining('wallets.enabled')]);
  await without.api.close();
});
