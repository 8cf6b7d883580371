const { expect } = require('chai');
const { ethers } = require('hardhat');

it('deploys a contract on the network of this run', async () => {
  const counter = await ethers.deployContract('Counter', [41]);
  await (await counter.increment()).wait();
  expect(await counter.number()).to.equal(42n);
  const { chainId } = await ethers.provider.getNetwork();
  expect(String(chainId)).to.equal(process.env.CHAIN_ID);
});
