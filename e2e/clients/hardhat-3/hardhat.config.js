import { fileURLToPath } from 'node:url';
import hardhatIgnitionEthers from '@nomicfoundation/hardhat-ignition-ethers';
import hardhatMocha from '@nomicfoundation/hardhat-mocha';
import hardhatNetworkHelpers from '@nomicfoundation/hardhat-network-helpers';
import hardhatVerify from '@nomicfoundation/hardhat-verify';
import { defineConfig } from 'hardhat/config';

const { RPC_URL, ADMIN_URL, CHAIN_ID, PRIVATE_KEY, VERIFY_URL } = process.env;
const network = (url) => ({ type: 'http', url, chainId: Number(CHAIN_ID), accounts: [PRIVATE_KEY] });

const explorer = { url: VERIFY_URL, apiUrl: VERIFY_URL };
const verification = {
  // Any API key will do: the URL grants access.
  verify: { sourcify: { apiUrl: VERIFY_URL }, etherscan: { apiKey: 'any' } },
  chainDescriptors: {
    [CHAIN_ID]: { name: 'ours', blockExplorers: { blockscout: explorer, etherscan: explorer } },
  },
};

export default defineConfig({
  plugins: [hardhatIgnitionEthers, hardhatMocha, hardhatNetworkHelpers, hardhatVerify],
  // The compiler comes with the packages, so that a run needs no other server.
  solidity: { version: '0.8.28', path: fileURLToPath(import.meta.resolve('solc/soljson.js')) },
  networks: { public: network(RPC_URL), admin: network(ADMIN_URL) },
  ...(VERIFY_URL ? verification : {}),
  test: { mocha: { timeout: 100_000 } },
});
