import { address, createSolanaRpc, createSolanaRpcSubscriptions } from '@solana/kit';
import {
  createMint,
  getAccount,
  getMint,
  getOrCreateAssociatedTokenAccount,
  mintTo,
  transfer,
} from '@solana/spl-token';
import {
  type Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  sendAndConfirmTransaction,
  Transaction,
} from '@solana/web3.js';
import type { Profile } from '../../core/api/resources/chainSpecs.ts';
import { endpointsOf, reach, remove } from '../lib/networks.ts';
import { until } from '../lib/service.ts';
import {
  createSecret,
  losePods,
  maintain,
  minuteMs,
  start,
  stopIdle,
  submitEvm,
  untilNothingIsLeft,
} from './families.ts';
import { connect, genesisBalance, pay, untilFinal } from './solanaChain.ts';
import { codeOf, deployProgram, helloTo, memo } from './solanaProgram.ts';

/** A network of one profile that a test file starts and uses, with the checks that both profiles pass. */
export interface SolanaNetwork {
  id: string;
  urls: Record<string, string>;
  connection: Connection;
  /** Holds the balance of the genesis. */
  payer: Keypair;
  keyName: string;
  friend: Keypair;
  /** Of the last transfer; known once a test has made one. */
  signature: string;
}

/** Fills a network in once it is Operational. Call it in `beforeAll`. */
export async function startSolana(profile: Profile): Promise<SolanaNetwork> {
  const payer = Keypair.generate();
  const keyName = await createSecret(payer.secretKey);
  const id = await start('Solana', { privateKeyRef: { name: keyName }, ...profileOf(profile) });
  const urls = await endpointsOf(id);
  const friend = Keypair.generate();
  return { id, urls, connection: connect(urls), payer, keyName, friend, signature: '' };
}

/** The default is not named. */
const profileOf = (profile: Profile) => (profile === 'light' ? {} : { profile });

export async function expectEndpoints({ id, urls, connection, payer }: SolanaNetwork, caveat: string) {
  expect(Object.keys(urls).sort()).toEqual(['admin', 'admin-ws', 'rpc', 'ws']);
  const { status } = await reach(id, 'Operational');
  expect(status.chainID).toMatch(/^solana-[0-9a-f]{8}$/);
  expect(status.message).toContain(caveat);
  expect(await connection.getBalance(payer.publicKey)).toBe(genesisBalance);
}

/** What the clients of Solana's ecosystem do with a network. */
export function describeUse(networkOf: () => SolanaNetwork): void {
  it('serves airdrops and reports their confirmation over WebSocket', async () => {
    const { connection, friend } = networkOf();
    const drop = await connection.requestAirdrop(friend.publicKey, 2 * LAMPORTS_PER_SOL);
    const latest = await connection.getLatestBlockhash();
    const { value } = await connection.confirmTransaction({ signature: drop, ...latest });
    expect(value.err).toBeNull();
    expect(await connection.getBalance(friend.publicKey)).toBe(2 * LAMPORTS_PER_SOL);
  });

  it('transfers SOL and notifies account and log subscribers', async () => {
    const network = networkOf();
    const { connection, payer } = network;
    const watched = Keypair.generate().publicKey;
    const balance = Promise.withResolvers<number>();
    const logs = Promise.withResolvers<string[]>();
    const account = connection.onAccountChange(watched, ({ lamports }) => balance.resolve(lamports));
    const log = connection.onLogs(watched, (entry) => logs.resolve(entry.logs));
    // The subscriptions are active once the node has answered another call on the same connection.
    await new Promise<void>((resolve) => {
      const slots = connection.onSlotChange(() => {
        resolve();
        void connection.removeSlotChangeListener(slots);
      });
    });
    network.signature = await pay(connection, payer, watched);
    expect(await balance.promise).toBe(LAMPORTS_PER_SOL);
    expect((await logs.promise).join()).toContain('11111111111111111111111111111111 success');
    await connection.removeAccountChangeListener(account);
    await connection.removeOnLogsListener(log);
  });

  it('supports SPL tokens: a mint, two accounts and a transfer', async () => {
    const { connection, payer, friend } = networkOf();
    const mint = await createMint(connection, payer, payer.publicKey, null, 6);
    const own = await getOrCreateAssociatedTokenAccount(connection, payer, mint, payer.publicKey);
    const other = await getOrCreateAssociatedTokenAccount(connection, payer, mint, friend.publicKey);
    await mintTo(connection, payer, mint, own.address, payer, 1_000_000n);
    await transfer(connection, payer, own.address, other.address, payer, 400_000n);
    expect((await getMint(connection, mint)).supply).toBe(1_000_000n);
    expect((await getAccount(connection, own.address)).amount).toBe(600_000n);
    expect((await getAccount(connection, other.address)).amount).toBe(400_000n);
  });

  it('runs deployed programs', async () => {
    const { connection, payer } = networkOf();
    const program = Keypair.generate();
    const code = await codeOf(connection, memo);
    await deployProgram(connection, { payer, buffer: Keypair.generate(), program, code });
    const hello = helloTo(program.publicKey);
    const sent = await sendAndConfirmTransaction(connection, new Transaction().add(hello), [payer]);
    const found = await connection.getTransaction(sent, { maxSupportedTransactionVersion: 0 });
    expect(found?.meta?.logMessages?.join('\n')).toContain('hello from slipway');
  });

  it('works with @solana/kit', async () => {
    const { urls, friend } = networkOf();
    const rpc = createSolanaRpc(urls.rpc ?? '');
    const { value } = await rpc.getBalance(address(friend.publicKey.toBase58())).send();
    expect(value).toBe(BigInt(2 * LAMPORTS_PER_SOL));
    const abort = new AbortController();
    const slots = await createSolanaRpcSubscriptions(urls.ws ?? '')
      .slotNotifications()
      .subscribe({ abortSignal: abort.signal });
    for await (const { slot } of slots) {
      expect(slot).toBeGreaterThan(0n);
      break;
    }
    abort.abort();
  });

  it('rejects calls of other chain families', async () => {
    const response = await fetch(networkOf().urls.rpc ?? '', {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
    });
    expect(await response.json()).toMatchObject({ error: { code: -32601 } });
  });

  it('rejects EVM transactions', async () => {
    const { status, body } = await submitEvm(networkOf().id);
    expect(status).toBe(400);
    expect(body.message).toContain('Solana networks do not accept EVM transactions');
  });
}

export async function expectRestartKeepsChain({ id, connection, payer, signature }: SolanaNetwork) {
  const before = await reach(id, 'Operational');
  const genesis = await connection.getGenesisHash();
  await untilFinal(connection, signature);
  const after = await maintain(id, 'Restart', 1);
  expect(after.status.enclaveID).toBe(before.status.enclaveID);
  expect(await connection.getGenesisHash()).toBe(genesis);
  const found = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
  expect(found?.transaction.signatures[0]).toBe(signature);
  await pay(connection, payer, Keypair.generate().publicKey);
}

export async function expectNewGenesis({ id, connection, payer, friend }: SolanaNetwork) {
  const genesis = await connection.getGenesisHash();
  await maintain(id, 'ResetState', 2);
  expect(await connection.getGenesisHash()).not.toBe(genesis);
  expect(await connection.getBalance(friend.publicKey)).toBe(0);
  expect(await connection.getBalance(payer.publicKey)).toBe(genesisBalance);
}

export async function expectNewChainAfterIdleStop({ id, connection }: SolanaNetwork) {
  const genesis = await connection.getGenesisHash();
  await stopIdle(id);
  expect(await connection.getGenesisHash()).not.toBe(genesis);
}

export async function expectNothingIsLeft({ id }: SolanaNetwork) {
  await remove(id);
  await untilNothingIsLeft(id);
}

/** On a persistent network of its own. */
export async function expectChainOutlivesPod({ payer, keyName }: SolanaNetwork, profile: Profile) {
  const chain = { privateKeyRef: { name: keyName }, ...profileOf(profile) };
  const id = await start('Solana', chain, { persistent: true });
  const connection = connect(await endpointsOf(id));
  const receiver = Keypair.generate().publicKey;
  const signature = await pay(connection, payer, receiver);
  await untilFinal(connection, signature);
  await losePods(id);
  await until(
    'the chain with its history',
    () => connection.getBalance(receiver).catch(() => 0),
    (balance) => balance === LAMPORTS_PER_SOL,
    2 * minuteMs,
  );
  // A new connection, which has not cached the block hash of a slot that was lost with the pod.
  await pay(connect(await endpointsOf(id)), payer, receiver);
  await remove(id);
}
