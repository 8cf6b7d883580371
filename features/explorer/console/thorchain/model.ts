import { at, listAt, quantityAt, textAt } from '../fields.ts';

export interface Header {
  height: bigint;
  hash: string;
  /** Seconds. */
  at: number;
  proposer: string;
  transactions: number | undefined;
}

/** One of the headers of `blockchain`, or the answer of `block`. */
export function headerOf(value: unknown): Header | undefined {
  const header = at(value, 'header') ?? at(value, 'block', 'header');
  const [height, hash] = [quantityAt(header, 'height'), textAt(value, 'block_id', 'hash')];
  if (height === undefined || hash === undefined) return undefined;
  const count = quantityAt(value, 'num_txs');
  return {
    height,
    hash,
    at: Math.floor(Date.parse(textAt(header, 'time') ?? '') / 1000) || 0,
    proposer: textAt(header, 'proposer_address') ?? '',
    transactions: count === undefined ? undefined : Number(count),
  };
}

/** The hash of a transaction as CometBFT makes it: SHA-256 of its bytes. */
export async function hashOf(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(
    '',
  );
}

export interface CosmosTransaction {
  hash: string;
  height: bigint;
  isSuccess: boolean;
  /** The log of a failure. */
  error: string | undefined;
  gasUsed: bigint;
  gasWanted: bigint;
  /** Undefined where the REST interface cannot decode them. */
  messages: { type: string; body: unknown }[] | undefined;
  memo: string;
  at: number;
  events: { type: string; attributes: string }[];
}

/** From `tx` of the RPC and from the REST interface, which decodes the messages. */
export function cosmosTransactionOf(told: unknown, decoded: unknown): CosmosTransaction | undefined {
  const [hash, height] = [textAt(told, 'hash'), quantityAt(told, 'height')];
  if (hash === undefined || height === undefined) return undefined;
  const result = at(told, 'tx_result');
  const isSuccess = (quantityAt(result, 'code') ?? 0n) === 0n;
  const body = at(decoded, 'tx', 'body');
  return {
    hash,
    height,
    isSuccess,
    error: isSuccess ? undefined : textAt(result, 'log'),
    gasUsed: quantityAt(result, 'gas_used') ?? 0n,
    gasWanted: quantityAt(result, 'gas_wanted') ?? 0n,
    messages:
      body === undefined
        ? undefined
        : listAt(body, 'messages').map((one) => ({ type: textAt(one, '@type') ?? '', body: one })),
    memo: textAt(body, 'memo') ?? '',
    at: Math.floor(Date.parse(textAt(decoded, 'tx_response', 'timestamp') ?? '') / 1000) || 0,
    events: listAt(result, 'events').map((event) => ({
      type: textAt(event, 'type') ?? '',
      attributes: listAt(event, 'attributes')
        .map((one) => `${textAt(one, 'key') ?? ''}: ${textAt(one, 'value') ?? ''}`)
        .join('\n'),
    })),
  };
}
