import { getCreateAddress } from 'ethers';

/** The address of the contract that a transaction creates: derived from its sender and nonce. In lower case. */
export function createAddressOf(from: string, nonce: number): string {
  return getCreateAddress({ from, nonce }).toLowerCase();
}
