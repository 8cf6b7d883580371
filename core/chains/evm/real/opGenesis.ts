import { toQuantity } from '../../../lib/text/quantity.ts';
import type { PlanInput } from '../../driver.ts';
import type { EvmChain } from '../chain.ts';
import { allocationOf, emptyBlock, rulesUntilLondon } from './genesis.ts';

/** Of OP Mainnet since Canyon (superchain-registry); the sequencer may not choose others. */
const fees = { eip1559Elasticity: 6, eip1559Denominator: 50, eip1559DenominatorCanyon: 250 };

const forks = ['shanghai', 'cancun', 'prague'] as const;
const opForks = [
  'regolith',
  'canyon',
  'ecotone',
  'fjord',
  'granite',
  'holocene',
  'isthmus',
  'jovian',
] as const;

/** The genesis of an OP Stack rollup by the rules of Jovian, in op-geth's format. */
export function renderOpGenesis(facts: EvmChain, input: PlanInput, gasLimit: number): string {
  const times = Object.fromEntries([...forks, ...opForks].map((fork) => [`${fork}Time`, 0]));
  const genesis = {
    config: {
      // A number: geth does not accept a string here. Ids stay below 2^53.
      chainId: Number(input.chainId),
      ...rulesUntilLondon,
      mergeNetsplitBlock: 0,
      bedrockBlock: 0,
      terminalTotalDifficulty: 0,
      ...times,
      optimism: fees,
    },
    ...emptyBlock,
    timestamp: toQuantity(input.genesisTime ?? 0),
    extraData: extraData(facts.baseFeeWei),
    gasLimit: toQuantity(gasLimit),
    difficulty: '0x0',
    coinbase: facts.feeRecipient ?? `0x${'0'.repeat(40)}`,
    baseFeePerGas: toQuantity(facts.baseFeeWei),
    alloc: allocationOf(facts, input),
  };
  return `${JSON.stringify(genesis, null, 1)}\n`;
}

/** Version 1, denominator, elasticity and lowest base fee (specs.optimism.io, "Jovian: Minimum Base Fee in Block Header"). */
function extraData(minBaseFee: number): string {
  const data = Buffer.alloc(17);
  data.writeUInt8(1, 0);
  data.writeUInt32BE(fees.eip1559DenominatorCanyon, 1);
  data.writeUInt32BE(fees.eip1559Elasticity, 5);
  data.writeBigUInt64BE(BigInt(minBaseFee), 9);
  return `0x${data.toString('hex')}`;
}
