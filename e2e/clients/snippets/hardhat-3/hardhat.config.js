import { fileURLToPath } from 'node:url';
import hardhatEthers from '@nomicfoundation/hardhat-ethers';
import hardhatMocha from '@nomicfoundation/hardhat-mocha';
import snippet from './snippet.js';

/** A project's own configuration, with the networks of the documentation. */
export default {
  ...snippet,
  plugins: [hardhatEthers, hardhatMocha],
  solidity: { version: '0.8.28', path: fileURLToPath(import.meta.resolve('solc/soljson.js')) },
  test: { mocha: { timeout: 100_000 } },
};
