import type { Chain } from '../chain.ts';
import { blockNames, type Call } from './call.ts';

/** A percentile more than may be asked for. */
const tooManyPercentiles = Array.from({ length: 101 }, (_, index) => index);

export const feeCalls = (chain: Chain): Call[] => [
  ['eth_gasPrice'],
  ['eth_maxPriorityFeePerGas'],
  ['eth_blobBaseFee'],
  ...blockNames(chain).map((block): Call => ['eth_feeHistory', '0x2', block, [25]]),
  ['eth_feeHistory', '0x2', 'latest'],
  ['eth_feeHistory', '0x2', 'latest', []],
  ['eth_feeHistory', 2, 'latest', []],
  ['eth_feeHistory', '0x0', 'latest', []],
  ['eth_feeHistory', '0x9999', 'latest', [50]],
  ['eth_feeHistory', '0x2', '0x4', [10, 50]],
  ['eth_feeHistory', '0x3', '0x1', [50]],
  ['eth_feeHistory', '0x1', '0x0', [50]],
  ['eth_feeHistory', '0x4', '0x4', [0, 100]],
  ['eth_feeHistory', '0x2', 'latest', [50, 10]],
  ['eth_feeHistory', '0x2', 'latest', [-1]],
  ['eth_feeHistory', '0x2', 'latest', [101]],
  ['eth_feeHistory', '0x2', 'latest', ['a']],
  ['eth_feeHistory', '0x2', 'latest', tooManyPercentiles],
];
