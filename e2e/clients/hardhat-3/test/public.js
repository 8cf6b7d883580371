import { expect } from 'chai';
import { network } from 'hardhat';
import counters from '../ignition/modules/Counter.js';

const { ethers, ignition } = await network.create();

describe('on the public URL', () => {
  it('Ignition deploys a module', async () => {
    const { first, second } = await ignition.deploy(counters);
    expect(await first.number()).to.equal(41n);
    expect(await second.number()).to.equal(41n);
  });

  it('waits for more confirmations than there are transactions', async () => {
    const counter = await ethers.deployContract('Counter', [1]);
    const receipt = await counter.deploymentTransaction()?.wait(3);
    expect(await receipt?.confirmations()).to.be.at.least(3);
  });

  it('reads events', async () => {
    const counter = await ethers.deployContract('Counter', [1]);
    await (await counter.increment()).wait();
    const events = await counter.queryFilter(counter.filters.Counted());
    expect(events.map(({ args }) => args.number)).to.deep.equal([2n]);
  });
});
