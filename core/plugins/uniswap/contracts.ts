import { encodeBytes32String, ZeroAddress } from 'ethers';

/** A contract that is deployed by a transaction of its own, with what its constructor needs. */
export interface Deployed {
  /** The canonical name: of its artifact, its step and its address in the status. */
  name: string;
  /** The contracts before it. */
  after?: readonly string[];
  args?(at: AddressOf, owner: string): unknown[];
}

type AddressOf = (name: string) => string;

/** The hashes of the init code of pairs and pools, as the SDKs have them; suites.test.ts compares them with the artifacts. */
export const pairInitCodeHash = '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f';
export const poolInitCodeHash = '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54';

const nativeLabel = encodeBytes32String('ETH');
/** Gas for a subscriber of a position that is removed, as on mainnet: https://etherscan.io/address/0xbd216513d74c8cf14cf4747e6aaa6420ff64ee9e */
const unsubscribeGasLimit = 300_000;

/** An entry whose constructor takes the addresses of these contracts, in this order. */
const taking = (name: string, ...after: string[]): Deployed => ({
  name,
  after,
  args: (at) => after.map(at),
});

/** Uniswap v2, v3 and v4 with their routers and lenses, in an order in which they can be deployed. */
export const deployedContracts: readonly Deployed[] = [
  { name: 'WETH9' },
  { name: 'UniswapV2Factory', args: (_at, owner) => [owner] },
  taking('UniswapV2Router02', 'UniswapV2Factory', 'WETH9'),
  { name: 'UniswapV3Factory' },
  {
    name: 'NonfungibleTokenPositionDescriptor',
    after: ['NFTDescriptor', 'WETH9'],
    args: (at) => [at('WETH9'), nativeLabel],
  },
  taking('NonfungiblePositionManager', 'UniswapV3Factory', 'WETH9', 'NonfungibleTokenPositionDescriptor'),
  taking('SwapRouter', 'UniswapV3Factory', 'WETH9'),
  taking('QuoterV2', 'UniswapV3Factory', 'WETH9'),
  { name: 'TickLens' },
  { name: 'UniswapInterfaceMulticall' },
  taking('SwapRouter02', 'UniswapV2Factory', 'UniswapV3Factory', 'NonfungiblePositionManager', 'WETH9'),
  { name: 'PoolManager', args: (_at, owner) => [owner] },
  {
    name: 'PositionDescriptor',
    after: ['PoolManager', 'WETH9'],
    args: (at) => [at('PoolManager'), at('WETH9'), nativeLabel],
  },
  {
    name: 'PositionManager',
    after: ['PoolManager', 'Permit2', 'PositionDescriptor', 'WETH9'],
    args: (at) => [
      at('PoolManager'),
      at('Permit2'),
      unsubscribeGasLimit,
      at('PositionDescriptor'),
      at('WETH9'),
    ],
  },
  taking('StateView', 'PoolManager'),
  taking('V4Quoter', 'PoolManager'),
  {
    name: 'UniversalRouter',
    after: [
      ...['Permit2', 'WETH9', 'UniswapV2Factory', 'UniswapV3Factory', 'PoolManager'],
      ...['NonfungiblePositionManager', 'PositionManager'],
    ],
    args: (at) => [
      {
        permit2: at('Permit2'),
        weth9: at('WETH9'),
        v2Factory: at('UniswapV2Factory'),
        v3Factory: at('UniswapV3Factory'),
        pairInitCodeHash,
        poolInitCodeHash,
        v4PoolManager: at('PoolManager'),
        v3NFTPositionManager: at('NonfungiblePositionManager'),
        v4PositionManager: at('PositionManager'),
        spokePool: ZeroAddress,
      },
    ],
  },
];
