import { jest } from '@jest/globals';
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
  PublicKey,
  sendAndConfirmTransaction,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
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
import { connect, disconnectAll, genesisBalance, pay, untilFinal } from './solanaChain.ts';
import { deployProgram } from './solanaProgram.ts';

jest.setTimeout(5 * minuteMs);

const memo = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
/** The size of the header before the code in an account of the upgradeable loader; the old loader has no header. */
const programDataHeaderSize = 45;

const payer = Keypair.generate();
let keyName: string;
beforeAll(async () => {
  keyName = await createSecret(payer.secretKey);
});

afterAll(disconnectAll);

describe('a network', () => {
  let id: string;
  let urls: Record<string, string>;
  let connection: Connection;
  const friend = Keypair.generate();
  let signature: string;

  beforeAll(async () => {
    id = await start('Solana', { privateKeyRef: { name: keyName } });
    urls = await endpointsOf(id);
    connection = connect(urls);
  });

  it('has its endpoints, a named chain id and a funded key', async () => {
    expect(Object.keys(urls).sort()).toEqual(['admin', 'admin-ws', 'rpc', 'ws']);
    const { status } = await reach(id, 'Operational');
    expect(status.chainID).toMatch(/^solana-[0-9a-f]{8}$/);
    expect(status.message).toContain('one validator');
    expect(await connection.getBalance(payer.publicKey)).toBe(genesisBalance);
  });

  it('serves airdrops and reports their confirmation over WebSocket', async () => {
    const drop = await connection.requestAirdrop(friend.publicKey, 2 * LAMPORTS_PER_SOL);
    const latest = await connection.getLatestBlockhash();
    const { value } = await connection.confirmTransaction({ signature: drop, ...latest });
    expect(value.err).toBeNull();
    expect(await connection.getBalance(friend.publicKey)).toBe(2 * LAMPORTS_PER_SOL);
  });

  it('transfers SOL and notifies account and log subscribers', async () => {
    const watched = Keypair.generate().publicKey;
    const balance = Promise.withResolvers<number>();
    const logs = Promise.withResolvers<string[]>();
    const account = connection.onAccountChange(watched, ({ lamports }) => balance.resolve(lamports));
    const log = connection.onLogs(watched, (entry) => logs.resolve(entry.logs));
    // The subscriptions are active once the validator has answered another call on the same connection.
    await new Promise<void>((resolve) => {
      const slots = connection.onSlotChange(() => {
        resolve();
        void connection.removeSlotChangeListener(slots);
      });
    });
    signature = await pay(connection, payer, watched);
    expect(await balance.promise).toBe(LAMPORTS_PER_SOL);
    expect((await logs.promise).join()).toContain('11111111111111111111111111111111 success');
    await connection.removeAccountChangeListener(account);
    await connection.removeOnLogsListener(log);
  });

  it('supports SPL tokens: a mint, two accounts and a transfer', async () => {
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
    const program = Keypair.generate();
    const code = await codeOf(connection, memo);
    await deployProgram(connection, { payer, buffer: Keypair.generate(), program, code });
    // A program can be called starting with the slot after its deployment.
    const slot = await connection.getSlot();
    await until(
      'the next slot',
      () => connection.getSlot(),
      (now) => now > slot + 1,
    );
    const hello = new TransactionInstruction({
      programId: program.publicKey,
      keys: [],
      data: Buffer.from('hello from slipway'),
    });
    const sent = await sendAndConfirmTransaction(connection, new Transaction().add(hello), [payer]);
    const found = await connection.getTransaction(sent, { maxSupportedTransactionVersion: 0 });
    expect(found?.meta?.logMessages?.join('\n')).toContain('hello from slipway');
  });

  it('works with @solana/kit', async () => {
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
    const response = await fetch(urls.rpc ?? '', {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
    });
    expect(await response.json()).toMatchObject({ error: { code: -32601 } });
  });

  it('rejects EVM transactions', async () => {
    const { status, body } = await submitEvm(id);
    expect(status).toBe(400);
    expect(body.message).toContain('Solana networks do not accept EVM transactions');
  });

  it('Restart keeps the chain and its history', async () => {
    const before = await reach(id, 'Operational');
    const genesis = await connection.getGenesisHash();
    await untilFinal(connection, signature);
    const after = await maintain(id, 'Restart', 1);
    expect(after.status.enclaveID).toBe(before.status.enclaveID);
    expect(await connection.getGenesisHash()).toBe(genesis);
    const found = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(found?.transaction.signatures[0]).toBe(signature);
    await pay(connection, payer, Keypair.generate().publicKey);
  });

  it('ResetState creates a new genesis', async () => {
    const genesis = await connection.getGenesisHash();
    await maintain(id, 'ResetState', 2);
    expect(await connection.getGenesisHash()).not.toBe(genesis);
    expect(await connection.getBalance(friend.publicKey)).toBe(0);
    expect(await connection.getBalance(payer.publicKey)).toBe(genesisBalance);
  });

  it('stops when idle and starts a new chain at the next call', async () => {
    const genesis = await connection.getGenesisHash();
    await stopIdle(id);
    expect(await connection.getGenesisHash()).not.toBe(genesis);
  });

  it('leaves nothing behind when it is deleted', async () => {
    await remove(id);
    await untilNothingIsLeft(id);
  });
});

/** The code of a program, for both loaders. */
async function codeOf(connection: Connection, program: PublicKey): Promise<Buffer> {
  const account = await connection.getAccountInfo(program);
  if (!account) throw new Error(`the program ${program.toBase58()} does not exist`);
  if (account.data.length > 36) return account.data;
  const data = await connection.getAccountInfo(new PublicKey(account.data.subarray(4, 36)));
  return data?.data.subarray(programDataHeaderSize) ?? Buffer.alloc(0);
}

it('a persistent network keeps its chain when its pod is lost', async () => {
  const id = await start('Solana', { privateKeyRef: { name: keyName } }, { persistent: true });
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
});
