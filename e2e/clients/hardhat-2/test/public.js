const { expect } = require('chai');
const { ethers, ignition, upgrades } = require('hardhat');
const counters = require('../ignition/modules/Counter');

describe('on the public URL', () => {
  it('Ignition deploys a module', async () => {
    const { first, second } = await ignition.deploy(counters);
    expect(await first.number()).to.equal(41n);
    expect(await second.number()).to.equal(41n);
  });

  it('waits for more confirmations than there are transactions', async () => {
    const counter = await ethers.deployContract('Counter', [1]);
    const receipt = await counter.deploymentTransaction().wait(3);
    expect(await receipt.confirmations()).to.be.at.least(3);
  });

  it('reads events and the reason of a failure', async () => {
    const counter = await ethers.deployContract('Counter', [1]);
    await (await counter.increment()).wait();
    const events = await counter.queryFilter(counter.filters.Counted());
    expect(events.map(({ args }) => args.number)).to.deep.equal([2n]);
  });

  it('upgrades a proxy', async () => {
    const box = await upgrades.deployProxy(await ethers.getContractFactory('Box'), [7]);
    await box.waitForDeployment();
    const next = await upgrades.upgradeProxy(box, await ethers.getContractFactory('BoxV2'));
    await (await next.increment()).wait();
    expect(await next.value()).to.equal(8n);
  });

  it('is not allowed to mine', async () => {
    const refused = await ethers.provider.send('evm_mine', []).catch(({ message }) => message);
    expect(refused).to.contain('admin URL');
  });
});
