import type { EnginePart, PlanInput } from '../../driver.ts';
import type { EvmChain } from '../chain.ts';
import { renderBscGenesis } from './bscGenesis.ts';
import { databaseArgs, genesisPath, httpArgs, ports, storageArgs } from './gethArgs.ts';
import { addressOf, renderKeystore } from './keystore.ts';
import {
  belowLeast,
  firstBlockCall,
  gasLimitOf,
  preparationOf,
  type RealClientRow,
  unsupported,
} from './realClient.ts';

/** The official image starts a script of its own. */
const command = ['geth'];
const dataPath = '/data';
const keysPath = '/etc/slipway/keys';
const passwordPath = '/etc/slipway/secrets/password';
/** The client keeps 20 million of each block's gas for its own transactions (params/protocol_params.go). */
const leastGasLimit = 25_000_000;

/** bsc with parlia and one validator. */
export const bsc: RealClientRow = {
  engines: ['bsc'],
  caveats: [
    'one validator, which makes every block: no votes, so that no block becomes final',
    'no staking, slashing and governance: of the system contracts there are only ValidatorSet and StakeHub, by us',
  ],
  refuse: ({ blockTime, gasLimit }, { blockTimeSeconds }) => ({
    blockTime: unsupported(
      blockTime !== undefined,
      `the rules of parlia make a block every ${blockTimeSeconds} seconds`,
    ),
    gasLimit: belowLeast(
      gasLimit,
      leastGasLimit,
      ", because 20000000 are kept for the client's own transactions",
    ),
  }),
  plan(facts, input) {
    const key = input.deriveSecret('validator');
    const password = input.deriveSecret('password');
    return {
      parts: [validatorPart(facts, input, addressOf(key))],
      services: { rpc: { part: 'validator', port: 'rpc' }, ws: { part: 'validator', port: 'ws' } },
      caveats: [...bsc.caveats],
      secrets: { validator: renderKeystore(key, password), password },
      readinessCall: firstBlockCall,
      preparation: preparationOf([{ engine: 'bsc', command }]),
    };
  },
};

function validatorPart(facts: EvmChain, input: PlanInput, validator: string): EnginePart {
  const gasLimit = gasLimitOf(facts, input);
  return {
    name: 'validator',
    engine: 'bsc',
    command,
    init: [
      {
        name: 'genesis',
        engine: 'bsc',
        command,
        args: ['init', ...databaseArgs, `--datadir=${dataPath}`, genesisPath],
      },
    ],
    args: [
      ...[`--datadir=${dataPath}`, `--networkid=${input.chainId}`],
      ...storageArgs,
      ...httpArgs,
      ...[`--keystore=${keysPath}`, `--password=${passwordPath}`, `--unlock=${validator}`],
      // JSON-RPC has no method that uses the key except on the admin URL.
      ...['--allow-insecure-unlock', '--mine', `--miner.etherbase=${validator}`],
      ...[`--miner.gaslimit=${gasLimit}`, '--miner.gasprice=1', '--txpool.pricelimit=1'],
    ],
    files: { [genesisPath]: renderBscGenesis(facts, input, { validator, gasLimit }) },
    secretFiles: { [`${keysPath}/validator`]: 'validator', [passwordPath]: 'password' },
    ports,
    readyPort: 'rpc',
    dataPath,
    losesChainWith: 'data',
  };
}
