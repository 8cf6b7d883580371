import { Keypair, LAMPORTS_PER_SOL, SystemProgram, Transaction } from '@solana/web3.js';
import { disconnectAll } from './solanaChain.ts';
import {
  describeUse,
  expectChainOutlivesPod,
  expectEndpoints,
  expectNewChainAfterIdleStop,
  expectNewGenesis,
  expectNothingIsLeft,
  expectRestartKeepsChain,
  type SolanaNetwork,
  startSolana,
} from './solanaNetwork.ts';

afterAll(disconnectAll);

let network: SolanaNetwork;
beforeAll(async () => {
  network = await startSolana('light');
});

async function ask(service: 'rpc' | 'admin', method: string, ...params: unknown[]) {
  const response = await fetch(network.urls[service] ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as { result?: unknown; error?: { code: number; message: string } };
}

describe('a network', () => {
  it('has its endpoints, a named chain id and a funded key', () => expectEndpoints(network, 'one node'));
  describeUse(() => network);

  it('sets accounts through the admin URL alone', async () => {
    const account = Keypair.generate().publicKey;
    const change = [account.toBase58(), { lamports: 7 * LAMPORTS_PER_SOL }];
    const refused = await ask('rpc', 'surfnet_setAccount', ...change);
    expect(refused.error?.message).toContain('use the admin URL');
    expect((await ask('admin', 'surfnet_setAccount', ...change)).error).toBeUndefined();
    expect(await network.connection.getBalance(account)).toBe(7 * LAMPORTS_PER_SOL);
  });

  it('sends nothing from the public URL that its account has not signed', async () => {
    const { connection, payer, friend } = network;
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash }).add(
      SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: friend.publicKey, lamports: 1 }),
    );
    const unsigned = transaction.serialize({ requireAllSignatures: false, verifySignatures: false });
    const options = { encoding: 'base64', skipSigVerify: true };
    const refused = await ask('rpc', 'sendTransaction', unsigned.toString('base64'), options);
    expect(refused.error?.message).toContain('skipSigVerify');
    const without = await ask('rpc', 'sendTransaction', unsigned.toString('base64'), { encoding: 'base64' });
    expect(without.error?.code).toBeLessThan(0);
  });

  it.each(['exit', 'loadPlugin', 'snapshotSubscribe'])('closes %s on every URL', async (method) => {
    for (const service of ['rpc', 'admin'] as const) {
      expect((await ask(service, method, '/etc/passwd')).error?.code).toBe(-32601);
    }
    expect((await ask('rpc', 'getHealth')).result).toBe('ok');
  });

  it('Restart keeps the chain and its history', () => expectRestartKeepsChain(network));
  it('ResetState creates a new genesis', () => expectNewGenesis(network));
  it('stops when idle and starts a new chain at the next call', () => expectNewChainAfterIdleStop(network));
  it('leaves nothing behind when it is deleted', () => expectNothingIsLeft(network));
});

it('a persistent network keeps its chain when its pod is lost', () =>
  expectChainOutlivesPod(network, 'light'));
