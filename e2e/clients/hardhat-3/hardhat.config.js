import { fileURLToPath } from 'node:url';
import hardhatIgnitionEthers from '@nomicfoundation/hardhat-ignition-ethers';
import hardhatMocha from '@nomicfoundation/hardhat-mocha';
import hardhatNetworkHelpers from '@nomicfoundation/hardhat-network-helpers';
import { defineConfig } from 'hardhat/config';

const { RPC_URL, ADMIN_URL, CHAIN_ID, PRIVATE_KEY } = process.env;
const network = (url) => ({ type: 'http', url, chainId: Number(CHAIN_ID), accounts: [PRIVATE_KEY] });

export default defineConfig({
  plugins: [hardhatIgnitionEthers, hardhatMocha, hardhatNetworkHelpers],
  // The compiler comes with the packages, so that a run needs no other server.
  solidity: { version: '0.8.28', path: fileURLToPath(import.meta.resolve('solc/soljson.js')) },
  networks: { public: network(RPC_URL), admin: network(ADMIN_URL) },
  test: { mocha: { timeout: 60_000 } },
});
