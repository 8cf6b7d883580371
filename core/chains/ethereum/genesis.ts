import { toQuantity } from '../../lib/text/quantity.ts';
import { depositContractAddress, type GenesisContract, systemAccounts } from '../systemAccounts.ts';

export interface ExecutionGenesis {
  chainId: string;
  /** Seconds since 1970: the time of the first block and of every fork. */
  time: number;
  gasLimit: number;
  contracts: Readonly<Record<string, GenesisContract>>;
  /** Wei by address. */
  balances: Readonly<Record<string, bigint>>;
}

/** Blob parameters by fork (EIP-4844, EIP-7691), in the form of EIP-7840. */
const blobSchedule = {
  cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 },
  prague: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
};

/** The rules in the `config` format of geth's genesis file; erigon, reth and besu read the same. */
function rulesOf({ chainId, time }: ExecutionGenesis) {
  return {
    // A number: geth does not accept a string here. Ids stay below 2^53.
    chainId: Number(chainId),
    homesteadBlock: 0,
    eip150Block: 0,
    eip155Block: 0,
    eip158Block: 0,
    byzantiumBlock: 0,
    constantinopleBlock: 0,
    petersburgBlock: 0,
    istanbulBlock: 0,
    berlinBlock: 0,
    londonBlock: 0,
    mergeNetsplitBlock: 0,
    terminalTotalDifficulty: 0,
    terminalTotalDifficultyPassed: true,
    shanghaiTime: time,
    cancunTime: time,
    pragueTime: time,
    depositContractAddress,
    blobSchedule,
  };
}

/** The genesis of the execution chain in geth's format, post-merge from the first block on, by the rules of Prague. */
export function renderExecutionGenesis(genesis: ExecutionGenesis): string {
  const alloc: Record<string, object> = {};
  for (const [address, account] of Object.entries({ ...genesis.contracts, ...systemAccounts() })) {
    alloc[address] = {
      balance: '0x0',
      nonce: toQuantity(account.nonce),
      code: account.code,
      storage: account.storage,
    };
  }
  for (const [address, balance] of Object.entries(genesis.balances)) {
    alloc[address] = { ...alloc[address], balance: toQuantity(balance) };
  }
  const block = {
    config: rulesOf(genesis),
    nonce: '0x0',
    timestamp: toQuantity(genesis.time),
    extraData: '0x',
    gasLimit: toQuantity(genesis.gasLimit),
    difficulty: '0x0',
    mixHash: `0x${'0'.repeat(64)}`,
    coinbase: `0x${'0'.repeat(40)}`,
    number: '0x0',
    gasUsed: '0x0',
    parentHash: `0x${'0'.repeat(64)}`,
    baseFeePerGas: toQuantity(1_000_000_000),
    alloc,
  };
  return `${JSON.stringify(block, null, 1)}\n`;
}
