import type { Placement } from './chain.ts';
import { word } from './storage.ts';

/** Tips of an OP Stack rollup go to this vault. */
export const sequencerFeeVault = predeployAddress('11');

interface OpStackFacts {
  /** Millionths of the L1 base fee and of the L1 blob fee that a transaction's bytes cost. */
  baseFeeScalar: number;
  blobBaseFeeScalar: number;
}

/**
 * What every OP Stack rollup has: L1 attributes, fee oracle and fee vaults.
 * Addresses and the storage of L1Block: specs.optimism.io, «Predeploys» and «L1 Attributes Predeployed Contract».
 * The prices of L1 are left at 0. The engine charges what L1Block says, but to calls that only read as well, and so
 * with any other price it would refuse each `eth_call` from an account without funds.
 */
export function opStackFees({ baseFeeScalar, blobBaseFeeScalar }: OpStackFacts): Placement[] {
  const scalars = (BigInt(baseFeeScalar) << 96n) | (BigInt(blobBaseFeeScalar) << 64n);
  const storage = { [word(0n)]: word(1n), [word(3n)]: word(scalars) };
  const vaults = ['11', '19', '1A', '1b'].map((suffix) => predeploy(suffix, 'FeeVault'));
  return [{ ...predeploy('15', 'L1Block'), storage }, predeploy('0F', 'GasPriceOracle'), ...vaults];
}

/** The way to L1; `l1Messenger` is the public chain's messenger there. */
export function opStackMessages(l1Messenger: string): Placement[] {
  const storage = { [word(0n)]: word(BigInt(l1Messenger)) };
  return [{ ...predeploy('07', 'L2CrossDomainMessenger'), storage }, predeploy('16', 'L2ToL1MessagePasser')];
}

export const opStackCaveats = [
  'no L1, no sequencer, no bridges: what goes to L1 is recorded and stays',
  'L1 costs nothing until the depositor account sets its prices',
];

function predeploy(suffix: string, contract: string): Placement {
  return { address: predeployAddress(suffix), contract };
}

/** `suffix` in the letters of the address's checksum. */
function predeployAddress(suffix: string): string {
  return `0x42${suffix.padStart(38, '0')}`;
}
