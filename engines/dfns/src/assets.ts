import { Interface } from 'ethers';
import { ask } from '../../../core/evm/contractCalls.ts';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import { createBoundedMap } from '../../../core/lib/boundedMap.ts';

/** The name and the decimals of a coin or token. */
interface AssetFacts {
  symbol?: string;
  decimals: number;
}

interface Asset extends AssetFacts {
  kind: 'Native' | 'Erc20';
  contract?: string;
  balance: string;
  verified: boolean;
}

const erc20 = new Interface([
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function balanceOf(address owner) view returns (uint256)',
]);
/** Read for one answer: more belong to an address that somebody floods with tokens. */
const maxTokens = 100;

export interface Assets {
  /** The coin, and the ERC-20 tokens of these contracts of which the address has some. */
  of(address: string, contracts: readonly string[]): Promise<Asset[]>;
  /** Of a token; of the coin without a contract. Tokens need not tell their symbol. */
  factsOf(contract?: string): Promise<AssetFacts>;
}

export function createAssets({ rpc, symbol }: { rpc: EvmRpc; symbol: string }): Assets {
  const known = createBoundedMap<string, AssetFacts>(1000);
  const factsOf = async (contract?: string): Promise<AssetFacts> => {
    if (contract === undefined) return { symbol, decimals: 18 };
    const found = known.get(contract);
    if (found) return found;
    const [own, decimals] = await Promise.all([
      ask(rpc, { to: contract, abi: erc20, name: 'symbol' }),
      ask(rpc, { to: contract, abi: erc20, name: 'decimals' }),
    ]);
    const facts = { ...(own ? { symbol: own.slice(0, 64) } : {}), decimals: Number(decimals ?? 0) };
    known.set(contract, facts);
    return facts;
  };
  const tokenOf = async (address: string, contract: string): Promise<Asset[]> => {
    const balance = await ask(rpc, { to: contract, abi: erc20, name: 'balanceOf', args: [address] });
    if (!balance || balance === '0') return [];
    return [{ kind: 'Erc20', contract, ...(await factsOf(contract)), balance, verified: false }];
  };
  return {
    factsOf,
    async of(address, contracts) {
      const balance = BigInt(String(await rpc.call('eth_getBalance', [address, 'latest'])));
      const coin = { kind: 'Native', symbol, decimals: 18, verified: true } as const;
      const tokens = await Promise.all(
        contracts.slice(0, maxTokens).map((contract) => tokenOf(address, contract)),
      );
      return [{ ...coin, balance: balance.toString() }, ...tokens.flat()];
    },
  };
}
