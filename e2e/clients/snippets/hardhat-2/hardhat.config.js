const { subtask } = require('hardhat/config');
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names');
require('@nomicfoundation/hardhat-ethers');
const snippet = require('./snippet.js');

// The compiler comes with the packages, so that a run needs no other server.
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({
  compilerPath: require.resolve('solc/soljson.js'),
  isSolcJs: true,
  version: '0.8.28',
  longVersion: require('solc').version(),
}));

/** A project's own configuration, with the networks of the documentation. */
module.exports = { ...snippet, mocha: { timeout: 100_000 } };
