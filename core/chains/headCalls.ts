import type { HeadCall } from './driver.ts';

/** How the families of chains return the number of their last block. */

export const evmHeadCall: HeadCall = {
  method: 'eth_blockNumber',
  params: [],
  blockIn: (result) => (typeof result === 'string' ? Number(result) : Number.NaN),
};

export const solanaHeadCall: HeadCall = {
  method: 'getBlockHeight',
  params: [],
  blockIn: (result) => (typeof result === 'number' ? result : Number.NaN),
};
