import {
  Connection,
  type Keypair,
  LAMPORTS_PER_SOL,
  type PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
} from '@solana/web3.js';
import { until } from '../lib/service.ts';
import { minuteMs } from './families.ts';

/** The genesis balance of the first account of a test validator. */
export const genesisBalance = 500_000_000 * LAMPORTS_PER_SOL;

const connections: Connection[] = [];

/** A client for a network's endpoints, open until `disconnectAll`. */
export function connect({ rpc = '', ws = '' }: Record<string, string>): Connection {
  const connection = new Connection(rpc, { wsEndpoint: ws, commitment: 'confirmed' });
  connections.push(connection);
  return connection;
}

/** Closes all WebSockets. The client has no public method for it, and open ones keep calling deleted networks. */
export function disconnectAll(): void {
  for (const connection of connections) Reflect.get(connection, '_rpcWebSocket').close();
}

/** Pays one SOL and returns the signature once the transfer is confirmed. */
export function pay(connection: Connection, payer: Keypair, to: PublicKey): Promise<string> {
  const step = SystemProgram.transfer({
    fromPubkey: payer.publicKey,
    toPubkey: to,
    lamports: LAMPORTS_PER_SOL,
  });
  return sendAndConfirmTransaction(connection, new Transaction().add(step), [payer]);
}

/** Waits until a transaction is final. Final slots are on disk; others may be replaced after a restart. */
export async function untilFinal(connection: Connection, signature: string): Promise<void> {
  await until(
    'the transaction to be finalized',
    () => connection.getSignatureStatus(signature),
    ({ value }) => value?.confirmationStatus === 'finalized',
    2 * minuteMs,
  );
}
