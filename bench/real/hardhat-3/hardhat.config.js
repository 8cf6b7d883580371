import { fileURLToPath } from 'node:url';
import hardhatEthers from '@nomicfoundation/hardhat-ethers';
import hardhatEthersChaiMatchers from '@nomicfoundation/hardhat-ethers-chai-matchers';
import hardhatMocha from '@nomicfoundation/hardhat-mocha';
import { defineConfig } from 'hardhat/config';

const mined = { id: 'mined', hookHandlers: { network: () => import('./mined.js') } };
const { RPC_URL, CHAIN_ID, MNEMONIC } = process.env;

export default defineConfig({
  plugins: [hardhatEthers, hardhatEthersChaiMatchers, hardhatMocha, mined],
  // The compiler comes with the packages, so that a run needs no other server.
  solidity: { version: '0.8.34', path: fileURLToPath(import.meta.resolve('solc/soljson.js')) },
  networks: {
    measured: { type: 'http', url: RPC_URL, chainId: Number(CHAIN_ID), accounts: { mnemonic: MNEMONIC } },
  },
  test: { mocha: { timeout: 60_000 } },
});
