import type { Chain } from '../chain.ts';
import { receiver, sender, slot } from '../scene.ts';
import { blockNames, type Call } from './call.ts';

/** Balances, nonces, code, storage and proofs. */
export function stateCalls(chain: Chain): Call[] {
  const { contract } = chain;
  return [
    ...blockNames(chain).flatMap((block): Call[] => [
      ['eth_getBalance', sender, block],
      ['eth_getTransactionCount', sender, block],
      ['eth_getCode', contract, block],
      ['eth_getStorageAt', contract, '0x0', block],
      ['eth_getProof', contract, ['0x0'], block],
    ]),
    ['eth_getBalance', sender],
    ['eth_getBalance', sender, null],
    ['eth_getBalance', null, 'latest'],
    ['eth_getBalance', '0x12', 'latest'],
    ['eth_getBalance', sender.toLowerCase().slice(2), 'latest'],
    ['eth_getStorageAt', contract, '0x00', 'latest'],
    ['eth_getStorageAt', contract, 0, 'latest'],
    ['eth_getStorageAt', contract, slot(0), 'latest'],
    ['eth_getStorageAt', contract, `${slot(0)}00`, 'latest'],
    ['eth_getStorageAt', contract, 'x', 'latest'],
    ['eth_getProof', contract, [], 'latest'],
    ['eth_getProof', receiver, [], 'latest'],
    ['eth_getProof', contract, ['0x0', slot(1)], 'latest'],
    ['eth_getProof', contract, ['x'], 'latest'],
  ];
}
