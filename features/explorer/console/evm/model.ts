import { at, isRecord, listAt, quantityAt, textAt } from '../fields.ts';

export interface Block {
  number: bigint;
  hash: string;
  parentHash: string;
  /** Seconds since the epoch. */
  at: number;
  transactions: readonly string[];
  gasUsed: bigint;
  gasLimit: bigint;
  baseFee: bigint | undefined;
  miner: string;
  raw: Record<string, unknown>;
}

export interface Transaction {
  hash: string;
  from: string;
  to: string | undefined;
  value: bigint;
  nonce: bigint;
  input: string;
  gas: bigint;
  gasPrice: bigint | undefined;
  type: string;
  /** Undefined until it is in a block. */
  blockNumber: bigint | undefined;
  index: bigint | undefined;
}

export interface Log {
  /** Of its transaction; undefined where that is known anyway. */
  hash: string | undefined;
  block: bigint | undefined;
  index: bigint;
  address: string;
  topics: readonly string[];
  data: string;
}

export interface Receipt {
  isSuccess: boolean;
  gasUsed: bigint;
  gasPrice: bigint | undefined;
  contractAddress: string | undefined;
  logs: readonly Log[];
  /** What a Layer 2 takes for its data on the chain below. */
  dataFee: bigint | undefined;
}

/** A block with the hashes of its transactions, or with all of them; undefined for what is none. */
export function blockOf(value: unknown): Block | undefined {
  const [number, hash] = [quantityAt(value, 'number'), textAt(value, 'hash')];
  if (!isRecord(value) || number === undefined || hash === undefined) return undefined;
  return {
    number,
    hash,
    raw: value,
    parentHash: textAt(value, 'parentHash') ?? '',
    at: Number(quantityAt(value, 'timestamp') ?? 0n),
    transactions: listAt(value, 'transactions').flatMap((one) =>
      typeof one === 'string' ? one : (textAt(one, 'hash') ?? []),
    ),
    gasUsed: quantityAt(value, 'gasUsed') ?? 0n,
    gasLimit: quantityAt(value, 'gasLimit') ?? 0n,
    baseFee: quantityAt(value, 'baseFeePerGas'),
    miner: textAt(value, 'miner') ?? '',
  };
}

export function transactionOf(value: unknown): Transaction | undefined {
  const [hash, from] = [textAt(value, 'hash'), textAt(value, 'from')];
  if (hash === undefined || from === undefined) return undefined;
  return {
    hash,
    from,
    to: textAt(value, 'to'),
    value: quantityAt(value, 'value') ?? 0n,
    nonce: quantityAt(value, 'nonce') ?? 0n,
    input: textAt(value, 'input') ?? '0x',
    gas: quantityAt(value, 'gas') ?? 0n,
    gasPrice: quantityAt(value, 'gasPrice'),
    type: String(quantityAt(value, 'type') ?? 0n),
    blockNumber: quantityAt(value, 'blockNumber'),
    index: quantityAt(value, 'transactionIndex'),
  };
}

export function receiptOf(value: unknown): Receipt | undefined {
  if (!isRecord(value)) return undefined;
  const isSuccess = quantityAt(value, 'status') !== 0n;
  return {
    isSuccess,
    gasUsed: quantityAt(value, 'gasUsed') ?? 0n,
    gasPrice: quantityAt(value, 'effectiveGasPrice'),
    // Nodes name it also where the creation failed.
    contractAddress: isSuccess ? textAt(value, 'contractAddress') : undefined,
    dataFee: quantityAt(value, 'l1Fee'),
    logs: listAt(value, 'logs').map(logOf),
  };
}

export function logOf(value: unknown): Log {
  return {
    hash: textAt(value, 'transactionHash'),
    block: quantityAt(value, 'blockNumber'),
    index: quantityAt(value, 'logIndex') ?? 0n,
    address: textAt(value, 'address') ?? '',
    topics: listAt(value, 'topics').filter((topic) => typeof topic === 'string'),
    data: textAt(value, 'data') ?? '0x',
  };
}

/** What the sender paid for a transaction besides its value. */
export function feeOf({ gasUsed, gasPrice, dataFee }: Receipt, transaction: Transaction): bigint {
  return gasUsed * (gasPrice ?? transaction.gasPrice ?? 0n) + (dataFee ?? 0n);
}

/** The data that a call reverted with, wherever the node puts it. */
export function revertDataIn(error: unknown): string | undefined {
  const data = at(error, 'data');
  const found = typeof data === 'string' ? data : (textAt(data, 'data') ?? textAt(data, 'result'));
  return found?.startsWith('0x') ? found : undefined;
}

/** The account whose code an account uses (EIP-7702); undefined for other code. */
export function delegateOf(code: string): string | undefined {
  return /^0xef0100[0-9a-f]{40}$/i.test(code) ? `0x${code.slice(8)}` : undefined;
}
