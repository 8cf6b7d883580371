import type { TokenContracts } from '../../deploy/artifacts.ts';
import type { FixedContract } from './proxy.ts';

/** The salt of Uniswap's own deployment: https://github.com/Uniswap/permit2/blob/main/script/DeployPermit2.s.sol */
export const permit2Salt = '0x0000000000000000000000000000000000000000d3af2663da51c10215000000';

/** At 0x000000000022D473030F116dDEE9F6B43aC78BA3, as on public chains: the build checks that its code gives this address. */
export const permit2 = (contracts: TokenContracts): FixedContract => ({
  name: 'Permit2',
  contract: contracts.uniswap('Permit2'),
  salt: permit2Salt,
});

export const librarySalt = `0x${'0'.repeat(64)}`;

/** A library. The build links it into the descriptor of v3 positions by its address. */
export const nftDescriptor = (contracts: TokenContracts): FixedContract => ({
  name: 'NFTDescriptor',
  contract: contracts.uniswap('NFTDescriptor'),
  salt: librarySalt,
});
