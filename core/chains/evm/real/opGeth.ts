import type { EnginePart, PlanInput } from '../../driver.ts';
import type { EvmChain } from '../chain.ts';
import { genesisPath, httpArgs, ports, storageArgs } from './gethArgs.ts';
import { renderOpGenesis } from './opGenesis.ts';
import {
  belowLeast,
  firstBlockCall,
  gasLimitOf,
  preparationOf,
  type RealClientRow,
  specOf,
} from './realClient.ts';

const enginePort = 8551;
const healthPort = 8548;
const jwtPath = '/etc/slipway/secrets/jwt';
const dataPath = '/data';
const engines = ['op-geth', 'op-sequencer'] as const;
/** The transaction that sets the L1 attributes may use a million. */
const leastGasLimit = 5_000_000;

/** op-geth, and a sequencer of ours in the place of op-node, which needs an L1. */
export const opGeth: RealClientRow = {
  engines,
  caveats: [
    'no L1: a sequencer of our own makes the blocks, with L1 attributes that it makes up',
    'messages to L1 are recorded, but not relayed',
  ],
  refuse: ({ gasLimit }) => ({
    gasLimit: belowLeast(gasLimit, leastGasLimit, ' for the transaction that begins each block'),
  }),
  plan: (facts, input) => ({
    parts: [clientPart(facts, input), sequencerPart(facts, input)],
    services: { rpc: { part: 'client', port: 'rpc' }, ws: { part: 'client', port: 'ws' } },
    caveats: [...opGeth.caveats],
    secrets: { jwt: input.deriveSecret('jwt') },
    readinessCall: firstBlockCall,
    preparation: preparationOf(engines.map((engine) => ({ engine }))),
  }),
};

function clientPart(facts: EvmChain, input: PlanInput): EnginePart {
  return {
    name: 'client',
    engine: 'op-geth',
    args: [
      `--override.genesis=${genesisPath}`,
      ...[`--datadir=${dataPath}`, `--networkid=${input.chainId}`],
      ...storageArgs,
      ...httpArgs,
      ...['--authrpc.addr=0.0.0.0', `--authrpc.port=${enginePort}`, '--authrpc.vhosts=*'],
      `--authrpc.jwtsecret=${jwtPath}`,
      '--miner.gasprice=1',
    ],
    files: { [genesisPath]: renderOpGenesis(facts, input, gasLimitOf(facts, input)) },
    secretFiles: { [jwtPath]: 'jwt' },
    ports: { ...ports, engine: enginePort },
    readyPort: 'rpc',
    dataPath,
    losesChainWith: 'data',
  };
}

function sequencerPart(facts: EvmChain, input: PlanInput): EnginePart {
  const { l1 } = facts;
  return {
    name: 'sequencer',
    engine: 'op-sequencer',
    args: [
      `--engine=http://${input.hostOf('client')}:${enginePort}`,
      `--jwt=${jwtPath}`,
      `--listen=0.0.0.0:${healthPort}`,
      `--block-time=${specOf(input.chain).blockTime ?? facts.blockTimeSeconds}`,
      `--gas-limit=${gasLimitOf(facts, input)}`,
      `--min-base-fee=${facts.baseFeeWei}`,
      ...(facts.feeRecipient === undefined ? [] : [`--fee-recipient=${facts.feeRecipient}`]),
      ...(l1
        ? [`--base-fee-scalar=${l1.baseFeeScalar}`, `--blob-base-fee-scalar=${l1.blobBaseFeeScalar}`]
        : []),
    ],
    files: {},
    secretFiles: { [jwtPath]: 'jwt' },
    ports: { health: healthPort },
    readyPort: 'health',
    readyPath: '/',
    losesChainWith: 'nothing',
  };
}
