import { toQuantity } from '../../../lib/text/quantity.ts';
import type { PlanInput } from '../../driver.ts';
import type { EvmChain, Placement } from '../chain.ts';
import { word } from '../storage.ts';
import { allocationOf, emptyBlock, rulesUntilLondon } from './genesis.ts';

/** Forks of BNB Smart Chain by block and by time (params/config.go of bsc), up to Pasteur. */
const blockForks =
  'ramanujan niels mirrorSync bruno euler nano moran gibbs planck luban plato hertz hertzfix';
const timeForks =
  'shanghai kepler feynman feynmanFix cancun haber haberFix bohr pascal prague lorentz maxwell fermi osaka mendel pasteur';

/** Blob parameters (EIP-7840) of BNB Smart Chain. */
const blobs = { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 };

interface BscFacts {
  validator: string;
  gasLimit: number;
}

/** The genesis of a chain with one validator, in bsc's format. */
export function renderBscGenesis(
  facts: EvmChain,
  input: PlanInput,
  { validator, gasLimit }: BscFacts,
): string {
  const genesis = {
    config: {
      chainId: Number(input.chainId),
      ...rulesUntilLondon,
      ...forksAt0(blockForks, 'Block'),
      ...forksAt0(timeForks, 'Time'),
      parlia: {},
      blobSchedule: { cancun: blobs, prague: blobs, osaka: blobs },
    },
    ...emptyBlock,
    timestamp: toQuantity(input.genesisTime ?? 0),
    extraData: extraData(validator),
    gasLimit: toQuantity(gasLimit),
    difficulty: '0x1',
    coinbase: validator,
    baseFeePerGas: toQuantity(facts.baseFeeWei),
    alloc: allocationOf(facts, input, systemContracts(validator)),
  };
  return `${JSON.stringify(genesis, null, 1)}\n`;
}

function forksAt0(names: string, suffix: 'Block' | 'Time'): Record<string, number> {
  return Object.fromEntries(names.split(' ').map((name) => [`${name}${suffix}`, 0]));
}

/** Vanity, the number of validators, each with its address and BLS key, the turn length, and room for the seal. */
function extraData(validator: string): string {
  const address = validator.slice(2).toLowerCase();
  return `0x${'00'.repeat(32)}01${address}${'00'.repeat(48)}01${'00'.repeat(65)}`;
}

function systemContracts(validator: string): Placement[] {
  return [
    {
      address: `0x${'1000'.padStart(40, '0')}`,
      contract: 'ValidatorSet',
      purpose: 'names the validator, and keeps the fees',
      storage: { [word(0n)]: word(BigInt(validator)) },
    },
    {
      address: `0x${'2002'.padStart(40, '0')}`,
      contract: 'StakeHub',
      purpose: 'answers that nobody has staked',
    },
  ];
}
