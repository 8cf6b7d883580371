import type { Chain } from '../chain.ts';
import { unknownHash } from '../scene.ts';
import { type Call, hashOf } from './call.ts';

/** Transactions and receipts of each kind, in blocks and in the pool, and what is not a transaction. */
export function transactionCalls(chain: Chain): Call[] {
  const { storing } = chain.numbers;
  const hash = hashOf(chain, 'storing');
  return [
    ...[...Object.values(chain.transactions), unknownHash, '0x12'].flatMap((one): Call[] => [
      ['eth_getTransactionByHash', one],
      ['eth_getTransactionReceipt', one],
      ['eth_getRawTransactionByHash', one],
      ['debug_getRawTransaction', one],
    ]),
    ['eth_getTransactionByBlockHashAndIndex', hash, '0x0'],
    ['eth_getTransactionByBlockHashAndIndex', hash, '0x5'],
    ['eth_getTransactionByBlockHashAndIndex', unknownHash, '0x0'],
    ['eth_getTransactionByBlockNumberAndIndex', storing, '0x5'],
    ['eth_getRawTransactionByBlockNumberAndIndex', storing, '0x0'],
    ['eth_getRawTransactionByBlockNumberAndIndex', storing, '0x5'],
    ['eth_getRawTransactionByBlockHashAndIndex', hash, '0x0'],
    ['eth_getRawTransactionByBlockHashAndIndex', unknownHash, '0x0'],
    ['eth_sendRawTransaction'],
    ['eth_sendRawTransaction', '0x'],
    ['eth_sendRawTransaction', '0x12'],
    ['eth_sendRawTransactionSync', '0x12'],
  ];
}
