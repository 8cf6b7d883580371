import type { ContractSource } from '../../core/tokens/definition.ts';

const from =
  (name: string, folder: string) =>
  (file: string, library?: string): ContractSource => ({
    package: `@uniswap/${name}`,
    artifact: `${folder}${file}.json`,
    ...(library ? { library } : {}),
  });
const v2Core = from('v2-core', 'build/');
const v2Periphery = from('v2-periphery', 'build/');
const v3Core = from('v3-core', 'artifacts/contracts/');
const v3Periphery = from('v3-periphery', 'artifacts/contracts/');
const v4Periphery = from('v4-periphery', 'foundry-out/');

/** Uniswap's contracts as published, by their canonical names, and Permit2. */
export const uniswapContracts: Record<string, ContractSource> = {
  WETH9: v2Periphery('WETH9'),
  UniswapV2Factory: v2Core('UniswapV2Factory'),
  UniswapV2Pair: v2Core('UniswapV2Pair'),
  UniswapV2Router02: v2Periphery('UniswapV2Router02'),
  UniswapV3Factory: v3Core('UniswapV3Factory.sol/UniswapV3Factory'),
  UniswapV3Pool: v3Core('UniswapV3Pool.sol/UniswapV3Pool'),
  NFTDescriptor: v3Periphery('libraries/NFTDescriptor.sol/NFTDescriptor'),
  NonfungibleTokenPositionDescriptor: v3Periphery(
    'NonfungibleTokenPositionDescriptor.sol/NonfungibleTokenPositionDescriptor',
    'NFTDescriptor',
  ),
  NonfungiblePositionManager: v3Periphery('NonfungiblePositionManager.sol/NonfungiblePositionManager'),
  SwapRouter: v3Periphery('SwapRouter.sol/SwapRouter'),
  QuoterV2: v3Periphery('lens/QuoterV2.sol/QuoterV2'),
  TickLens: v3Periphery('lens/TickLens.sol/TickLens'),
  UniswapInterfaceMulticall: v3Periphery('lens/UniswapInterfaceMulticall.sol/UniswapInterfaceMulticall'),
  SwapRouter02: from('swap-router-contracts', 'artifacts/contracts/')('SwapRouter02.sol/SwapRouter02'),
  Permit2: { permit2: true },
  PoolManager: from('v4-core', 'out/')('PoolManager.sol/PoolManager'),
  PositionDescriptor: v4Periphery('PositionDescriptor.sol/PositionDescriptor'),
  PositionManager: v4Periphery('PositionManager.sol/PositionManager'),
  StateView: v4Periphery('StateView.sol/StateView'),
  V4Quoter: v4Periphery('V4Quoter.sol/V4Quoter'),
  UniversalRouter: from('universal-router', 'artifacts/contracts/')('UniversalRouter.sol/UniversalRouter'),
};
