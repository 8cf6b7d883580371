import { readFileSync } from 'node:fs';
import { ContractFactory, type InterfaceAbi } from 'ethers';

/** Compiled contracts as published by their projects. */
const files = {
  Token: 'openzeppelin-contracts-v4/build/contracts/ERC20PresetFixedSupply.json',
  PairFactory: '@uniswap/v2-core/build/UniswapV2Factory.json',
  Pair: '@uniswap/v2-core/build/UniswapV2Pair.json',
  WrappedEther: '@uniswap/v2-periphery/build/WETH9.json',
  Router: '@uniswap/v2-periphery/build/UniswapV2Router02.json',
} as const;

export function artifact(name: keyof typeof files): { abi: InterfaceAbi; bytecode: string } {
  const path = new URL(`../../../node_modules/${files[name]}`, import.meta.url);
  const { abi, bytecode } = JSON.parse(readFileSync(path, 'utf8'));
  return { abi, bytecode: bytecode.startsWith('0x') ? bytecode : `0x${bytecode}` };
}

/** Creation code with the constructor's arguments. */
export async function creationOf(name: keyof typeof files, args: unknown[]): Promise<string> {
  const { abi, bytecode } = artifact(name);
  const { data } = await new ContractFactory(abi, bytecode).getDeployTransaction(...args);
  return data;
}
