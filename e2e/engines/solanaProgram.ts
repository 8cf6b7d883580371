import {
  type Connection,
  type Keypair,
  PublicKey,
  SYSVAR_CLOCK_PUBKEY,
  SYSVAR_RENT_PUBKEY,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
import { until } from '../lib/service.ts';

/** SPL Memo, which every network has. */
export const memo = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const loader = new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111');
/** Sizes of the loader's account headers (solana-loader-v3-interface, state.rs); the old loader has no header. */
const programDataHeaderSize = 45;
const bufferHeaderSize = 37;
const programSize = 36;
const chunkBytes = 900;

/** The code of a program, for both loaders. */
export async function codeOf(connection: Connection, program: PublicKey): Promise<Buffer> {
  const account = await connection.getAccountInfo(program);
  if (!account) throw new Error(`the program ${program.toBase58()} does not exist`);
  if (account.data.length > programSize) return account.data;
  const data = await connection.getAccountInfo(new PublicKey(account.data.subarray(4, programSize)));
  return data?.data.subarray(programDataHeaderSize) ?? Buffer.alloc(0);
}

/** A call of a copy of SPL Memo, which logs its text. */
export function helloTo(programId: PublicKey): TransactionInstruction {
  return new TransactionInstruction({ programId, keys: [], data: Buffer.from('hello from slipway') });
}

interface Deployment {
  payer: Keypair;
  buffer: Keypair;
  program: Keypair;
  code: Buffer;
}

/**
 * Deploys a program with the upgradeable loader, like `solana program deploy`: creates a buffer, writes it and deploys. It
 * can be called once this has resolved.
 */
export async function deployProgram(connection: Connection, deployment: Deployment): Promise<void> {
  const { payer, buffer, code } = deployment;
  const space = bufferHeaderSize + code.length;
  const lamports = await connection.getMinimumBalanceForRentExemption(space);
  const create = SystemProgram.createAccount({
    fromPubkey: payer.publicKey,
    newAccountPubkey: buffer.publicKey,
    lamports,
    space,
    programId: loader,
  });
  const begin = instruction(
    [
      { pubkey: buffer.publicKey, isSigner: false, isWritable: true },
      { pubkey: payer.publicKey, isSigner: false, isWritable: false },
    ],
    u32(0),
  );
  await sendAndConfirmTransaction(connection, new Transaction().add(create, begin), [payer, buffer]);
  const offsets = Array.from({ length: Math.ceil(code.length / chunkBytes) }, (_, i) => i * chunkBytes);
  await Promise.all(offsets.map((offset) => writeChunk(connection, deployment, offset)));
  await finish(connection, deployment);
  // A program can be called starting with the slot after its deployment.
  const slot = await connection.getSlot();
  await until(
    'the next slot',
    () => connection.getSlot(),
    (now) => now > slot + 1,
  );
}

async function writeChunk(connection: Connection, { payer, buffer, code }: Deployment, offset: number) {
  const chunk = code.subarray(offset, offset + chunkBytes);
  const write = instruction(
    [
      { pubkey: buffer.publicKey, isSigner: false, isWritable: true },
      { pubkey: payer.publicKey, isSigner: true, isWritable: false },
    ],
    Buffer.concat([u32(1), u32(offset), u64(chunk.length), chunk]),
  );
  await sendAndConfirmTransaction(connection, new Transaction().add(write), [payer]);
}

async function finish(connection: Connection, { payer, buffer, program, code }: Deployment): Promise<void> {
  const [programData] = PublicKey.findProgramAddressSync([program.publicKey.toBuffer()], loader);
  const create = SystemProgram.createAccount({
    fromPubkey: payer.publicKey,
    newAccountPubkey: program.publicKey,
    lamports: await connection.getMinimumBalanceForRentExemption(programSize),
    space: programSize,
    programId: loader,
  });
  const deploy = instruction(
    [
      { pubkey: payer.publicKey, isSigner: true, isWritable: true },
      { pubkey: programData, isSigner: false, isWritable: true },
      { pubkey: program.publicKey, isSigner: false, isWritable: true },
      { pubkey: buffer.publicKey, isSigner: false, isWritable: true },
      { pubkey: SYSVAR_RENT_PUBKEY, isSigner: false, isWritable: false },
      { pubkey: SYSVAR_CLOCK_PUBKEY, isSigner: false, isWritable: false },
      { pubkey: SystemProgram.programId, isSigner: false, isWritable: false },
      { pubkey: payer.publicKey, isSigner: true, isWritable: false },
    ],
    Buffer.concat([u32(2), u64(code.length)]),
  );
  await sendAndConfirmTransaction(connection, new Transaction().add(create, deploy), [payer, program]);
}

function instruction(keys: TransactionInstruction['keys'], data: Buffer): TransactionInstruction {
  return new TransactionInstruction({ programId: loader, keys, data });
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
