import { defineEvmChain, type EvmChain, ether, type Placement } from './chain.ts';
import { multicall3, wrappedEther } from './contracts.ts';
import { word } from './storage.ts';

/** Tips of an OP Stack rollup go to this vault. */
export const sequencerFeeVault = predeployAddress('11');

interface OpStackFacts {
  /** Millionths of the L1 base fee and of the L1 blob fee that are charged for a transaction's bytes. */
  baseFeeScalar: number;
  blobBaseFeeScalar: number;
}

type OwnFacts =
  | 'type'
  | 'name'
  | 'publicChainId'
  | 'relatedChainIds'
  | 'chainIdPrefix'
  | 'blockTimeSeconds'
  | 'hardfork'
  | 'gasLimit'
  | 'baseFeeWei';

interface OpStackChain<Type extends string> extends Pick<EvmChain<Type>, OwnFacts> {
  scalars: OpStackFacts;
  /** The public chain's messenger on L1. */
  l1Messenger: string;
}

/** A rollup that is the OP Stack as it is. */
export function defineOpStackChain<const Type extends string>({
  scalars,
  l1Messenger,
  ...own
}: OpStackChain<Type>): EvmChain<Type> {
  return defineEvmChain({
    ...own,
    currency: ether,
    network: 'optimism',
    feeRecipient: sequencerFeeVault,
    real: { client: 'op-geth' },
    l1: scalars,
    contracts: [
      multicall3,
      wrappedEther(predeployAddress('06')),
      ...opStackFees(scalars),
      ...opStackMessages(l1Messenger),
    ],
    caveats: opStackCaveats,
    limits: opStackLimits,
    remark: opStackRemark(scalars),
  });
}

/**
 * The contracts of every OP Stack rollup: L1 attributes, fee oracle and fee vaults.
 * Addresses and the storage of L1Block: specs.optimism.io, "Predeploys" and "L1 Attributes Predeployed Contract".
 * The L1 prices stay at 0. The engine charges the prices in L1Block even to read-only calls, so
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

/** What users should know about L1 prices, for the documentation. */
export function opStackRemark(
  { baseFeeScalar, blobBaseFeeScalar }: OpStackFacts,
  source = 'the public chain',
) {
  return `The scalars of L1Block are those of ${source}: ${baseFeeScalar} and ${blobBaseFeeScalar}. ${l1Prices}`;
}

/** The contracts for messages to L1; `l1Messenger` is the public chain's messenger on L1. */
function opStackMessages(l1Messenger: string): Placement[] {
  const storage = { [word(0n)]: word(BigInt(l1Messenger)) };
  return [
    { ...predeploy('07', 'L2CrossDomainMessenger', messengerPurpose), storage },
    predeploy('16', 'L2ToL1MessagePasser', 'initiateWithdrawal, sentMessages in slot 0'),
  ];
}

export const opStackCaveats = [
  'no L1, no sequencer, no bridges: messages to L1 are recorded, but not relayed',
  'no L1 fees until the depositor account sets the L1 prices',
];

/** What none of them has, for the documentation. */
const opStackLimits = [
  'no withdrawals from the vaults; no ProxyAdmin, no proxies, no EAS, no interop contracts, no preinstalls except those above',
];

const l1BlockPurpose =
  'L1 attributes in the storage layout of the OP Stack specification, which the engine reads; setL1BlockValuesEcotone, setL1BlockValuesIsthmus, setL1BlockValuesJovian';
const oraclePurpose =
  'getL1Fee, getL1FeeUpperBound, getL1GasUsed, getOperatorFee by the formulas of Fjord and Jovian, with our own FastLZ estimate';
const messengerPurpose =
  "sendMessage records a withdrawal; relayMessage from the alias of the public chain's L1 messenger (by impersonation)";
const l1Prices =
  'The prices they apply to are 0 until they are set as `0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001` (impersonated through the admin endpoint). From then on the engine charges what GasPriceOracle reports, to the wei. It then also refuses `eth_call` and `eth_estimateGas` from accounts that cannot pay the fee.';

function predeploy(suffix: string, contract: string, purpose: string): Placement {
  return { address: predeployAddress(suffix), contract, purpose };
}

/** `suffix` in the letter case of the address's checksum. */
function predeployAddress(suffix: string): string {
  return `0x42${suffix.padStart(38, '0')}`;
}
