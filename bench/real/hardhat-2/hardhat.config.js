const { setTimeout: pause } = require('node:timers/promises');
const { extendProvider } = require('hardhat/config');
const { ProviderWrapper } = require('hardhat/plugins');
require('@nomicfoundation/hardhat-chai-matchers');
require('@nomicfoundation/hardhat-ethers');
require('@nomicfoundation/hardhat-network-helpers');
require('hardhat-deploy');

const { RPC_URL, CHAIN_ID, MNEMONIC } = process.env;

/** The tests expect what they send to be mined at once, as in Hardhat's own network. A node mines it right after its answer. */
class MinedProvider extends ProviderWrapper {
  async request(args) {
    const answer = await this._wrappedProvider.request(args);
    if (args.method !== 'eth_sendRawTransaction') return answer;
    const receipt = { method: 'eth_getTransactionReceipt', params: [answer] };
    while ((await this._wrappedProvider.request(receipt)) === null) await pause(5);
    return answer;
  }
}
extendProvider((provider, _config, network) =>
  network === 'measured' ? new MinedProvider(provider) : provider,
);

module.exports = {
  solidity: '0.8.28',
  networks: { measured: { url: RPC_URL, chainId: Number(CHAIN_ID), accounts: { mnemonic: MNEMONIC } } },
  mocha: { timeout: 60_000 },
};
