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
  return [
    { ...predeploy('15', 'L1Block', l1BlockPurpose), storage },
    predeploy('0F', 'GasPriceOracle', oraclePurpose),
    { ...predeploy('11', 'FeeVault', 'receives the tips'), title: 'SequencerFeeVault' },
    { ...predeploy('19', 'FeeVault', 'receives the base fees'), title: 'BaseFeeVault' },
    { ...predeploy('1A', 'FeeVault', 'receives the L1 fees'), title: 'L1FeeVault' },
    { ...predeploy('1b', 'FeeVault', 'receives the operator fees'), title: 'OperatorFeeVault' },
  ];
}

/** What users should know of the prices of L1, for documents. */
export function opStackRemark(
  { baseFeeScalar, blobBaseFeeScalar }: OpStackFacts,
  source = 'the public chain',
) {
  return `The scalars of L1Block are those of ${source}: ${baseFeeScalar} and ${blobBaseFeeScalar}. ${l1Prices}`;
}

/** The way to L1; `l1Messenger` is the public chain's messenger there. */
export function opStackMessages(l1Messenger: string): Placement[] {
  const storage = { [word(0n)]: word(BigInt(l1Messenger)) };
  return [
    { ...predeploy('07', 'L2CrossDomainMessenger', messengerPurpose), storage },
    predeploy('16', 'L2ToL1MessagePasser', 'initiateWithdrawal, sentMessages in slot 0'),
  ];
}

export const opStackCaveats = [
  'no L1, no sequencer, no bridges: what goes to L1 is recorded and stays',
  'L1 costs nothing until the depositor account sets its prices',
];

/** What none of them has, for documents. */
export const opStackLimits = [
  'vaults keep what they have; no ProxyAdmin, no proxies, no EAS, no interop contracts, no preinstalls but those above',
];

const l1BlockPurpose =
  'L1 attributes in the storage layout of the OP Stack specification, which the engine reads; setL1BlockValuesEcotone, setL1BlockValuesIsthmus, setL1BlockValuesJovian';
const oraclePurpose =
  'getL1Fee, getL1FeeUpperBound, getL1GasUsed, getOperatorFee by the formulas of Fjord and Jovian, with our own FastLZ estimate';
const messengerPurpose =
  "sendMessage records a withdrawal; relayMessage from the alias of the public chain's L1 messenger (by impersonation)";
const l1Prices =
  'The prices that they multiply are 0 until somebody sets them as `0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001` (impersonated through the admin endpoint). From then on the engine charges what GasPriceOracle reports, to the wei. It then also refuses `eth_call` and `eth_estimateGas` from accounts that cannot pay the fee.';

function predeploy(suffix: string, contract: string, purpose: string): Placement {
  return { address: predeployAddress(suffix), contract, purpose };
}

/** `suffix` in the letters of the address's checksum. */
function predeployAddress(suffix: string): string {
  return `0x42${suffix.padStart(38, '0')}`;
}
