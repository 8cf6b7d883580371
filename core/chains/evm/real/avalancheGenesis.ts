import { toQuantity } from '../../../lib/text/quantity.ts';
import type { PlanInput } from '../../driver.ts';
import type { EvmChain } from '../chain.ts';
import { allocationOf, emptyBlock } from './genesis.ts';

/** Any number that Avalanche gives no meaning: nodes of other networks are never met. */
export const networkId = 1337;

/** The address of 20 zero bytes: nobody has the key to what the P-Chain and the X-Chain begin with. */
const nobody = 'X-custom1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq4mlve4';
const aYear = 31_536_000;
/** A node refuses a network that begins in its future, so clocks of machines may differ by this much, in seconds. */
const clockTolerance = 60;
/** By the rules since Fortuna (ACP-176): of the block after the first, and the least there is. */
export const leastGasLimit = 10_000_000;
const leastBaseFee = 1;

/**
 * The genesis of a whole network, in avalanchego's format. It must have a validator with a stake, which is never asked, and
 * holds the C-Chain's genesis in geth's format as a text. The rules of the C-Chain are the node's: all that are released.
 */
export function renderAvalancheGenesis(facts: EvmChain, input: PlanInput): string {
  const time = input.genesisTime ?? 0;
  const cChain = {
    // A number: geth does not accept a string here. Ids stay below 2^53.
    config: { chainId: Number(input.chainId) },
    ...emptyBlock,
    timestamp: toQuantity(time),
    extraData: '0x00',
    gasLimit: toQuantity(leastGasLimit),
    baseFeePerGas: toQuantity(leastBaseFee),
    difficulty: '0x0',
    coinbase: `0x${'0'.repeat(40)}`,
    alloc: allocationOf(facts, input),
  };
  const genesis = {
    networkID: networkId,
    allocations: [
      {
        ethAddr: `0x${'0'.repeat(40)}`,
        avaxAddr: nobody,
        initialAmount: 1,
        unlockSchedule: [{ amount: 2_000_000_000_000, locktime: 0 }],
      },
    ],
    startTime: Math.max(time - clockTolerance, 0),
    initialStakeDuration: aYear,
    initialStakeDurationOffset: 0,
    initialStakedFunds: [nobody],
    initialStakers: [
      { nodeID: 'NodeID-111111111111111111116DBWJs', rewardAddress: nobody, delegationFee: 20_000 },
    ],
    cChainGenesis: JSON.stringify(cChain),
    message: '',
  };
  return `${JSON.stringify(genesis, null, 1)}\n`;
}
