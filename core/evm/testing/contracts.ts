import { readFileSync } from 'node:fs';
import { ContractFactory, type InterfaceAbi } from 'ethers';
import { tokenContractsForTests } from '../../../hack/contracts/forTests.ts';

/** Contracts of Uniswap, by the names that tests use. */
const names = {
  PairFactory: 'UniswapV2Factory',
  Pair: 'UniswapV2Pair',
  WrappedEther: 'WETH9',
  Router: 'UniswapV2Router02',
} as const;
const token = '../../../node_modules/openzeppelin-contracts-v4/build/contracts/ERC20PresetFixedSupply.json';

type ContractName = keyof typeof names | 'Token';

/** A contract as published by its project. */
export function artifact(name: ContractName): { abi: InterfaceAbi; bytecode: string } {
  if (name === 'Token') return JSON.parse(readFileSync(new URL(token, import.meta.url), 'utf8'));
  const { abi, bytecode } = tokenContractsForTests().uniswap(names[name]);
  return { abi: abi.fragments, bytecode };
}

/** Creation code with the constructor's arguments. */
export async function creationOf(name: ContractName, args: unknown[]): Promise<string> {
  const { abi, bytecode } = artifact(name);
  const { data } = await new ContractFactory(abi, bytecode).getDeployTransaction(...args);
  return data;
}
