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

/** What the first account of a validator for development holds. */
export const genesisBalance = 500_000_000 * LAMPORTS_PER_SOL;

const connections: Connection[] = [];

/** A client at a network's endpoints, until `disconnectAll`. */
export function connect({ rpc = '', ws = '' }: Record<string, string>): Connection {
  const connection = new Connection(rpc, { wsEndpoint: ws, commitment: 'confirmed' });
  connections.push(connection);
  return connection;
}

/** There is no public way to close a client's WebSocket, and it goes on calling a network that is gone. */
export function disconnectAll(): void {
  for (const connection of connections) Reflect.get(connection, '_rpcWebSocket').close();
}

/** Pays one SOL; answers the signature when the transfer is confirmed. */
export function pay(connection: Connection, payer: Keypair, to: PublicKey): Promise<string> {
  const step = SystemProgram.transfer({
    fromPubkey: payer.publicKey,
    toPubkey: to,
    lamports: LAMPORTS_PER_SOL,
  });
  return sendAndConfirmTransaction(connection, new Transaction().add(step), [payer]);
}

/** What is final is on disk; a slot that is not may be made again. */
export async function untilFinal(connection: Connection, signature: string): Promise<void> {
  await until(
    'the end of the transaction’s way',
    () => connection.getSignatureStatus(signature),
    ({ value }) => value?.confirmationStatus === 'finalized',
    2 * minuteMs,
  );
}
