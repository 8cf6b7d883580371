const { subtask } = require('hardhat/config');
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names');
require('@nomicfoundation/hardhat-ignition-ethers');
require('@nomicfoundation/hardhat-network-helpers');
require('@openzeppelin/hardhat-upgrades');

const { RPC_URL, ADMIN_URL, CHAIN_ID, PRIVATE_KEY } = process.env;

// The compiler comes with the packages, so that a run needs no other server.
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({
  compilerPath: require.resolve('solc/soljson.js'),
  isSolcJs: true,
  version: '0.8.28',
  longVersion: require('solc').version(),
}));

const network = (url) => ({ url, chainId: Number(CHAIN_ID), accounts: [PRIVATE_KEY] });

module.exports = {
  solidity: { version: '0.8.28', settings: { evmVersion: 'cancun' } },
  networks: { public: network(RPC_URL), admin: network(ADMIN_URL) },
  mocha: { timeout: 60_000 },
};
