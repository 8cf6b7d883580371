const { expect } = require('chai');
const { ethers, upgrades } = require('hardhat');
const helpers = require('@nomicfoundation/hardhat-network-helpers');

describe('on the admin URL', () => {
  async function deployCounter() {
    const counter = await ethers.deployContract('Counter', [1]);
    await counter.waitForDeployment();
    return { counter };
  }

  it('changes the chain of a fixture', async () => {
    const { counter } = await helpers.loadFixture(deployCounter);
    await (await counter.increment()).wait();
    expect(await counter.number()).to.equal(2n);
  });

  it('has the fixture as it was', async () => {
    const { counter } = await helpers.loadFixture(deployCounter);
    expect(await counter.number()).to.equal(1n);
  });

  it('mines exactly the blocks that it is told to, and sets the clock', async () => {
    const before = await helpers.time.latestBlock();
    await helpers.mine(5);
    expect(await helpers.time.latestBlock()).to.equal(before + 5);
    const next = (await helpers.time.latest()) + 3600;
    await helpers.time.increaseTo(next);
    expect(await helpers.time.latest()).to.equal(next);
  });

  it('acts for an account without its key', async () => {
    const { counter } = await helpers.loadFixture(deployCounter);
    const address = '0x00000000000000000000000000000000000000A5';
    await helpers.setBalance(address, 10n ** 18n);
    await helpers.impersonateAccount(address);
    // Hardhat 2 itself signs only for the accounts of its configuration.
    const signer = new ethers.JsonRpcSigner(new ethers.JsonRpcProvider(process.env.ADMIN_URL), address);
    await (await counter.connect(signer).increment()).wait();
    const [event] = await counter.queryFilter(counter.filters.Counted(address));
    expect(event.args.number).to.equal(2n);
    await helpers.stopImpersonatingAccount(address);
  });

  it('goes back to a snapshot', async () => {
    const { counter } = await helpers.loadFixture(deployCounter);
    const snapshot = await helpers.takeSnapshot();
    await (await counter.increment()).wait();
    await snapshot.restore();
    expect(await counter.number()).to.equal(1n);
  });

  it('upgrades a beacon', async () => {
    const beacon = await upgrades.deployBeacon(await ethers.getContractFactory('Box'));
    const box = await upgrades.deployBeaconProxy(beacon, await ethers.getContractFactory('Box'), [7]);
    await box.waitForDeployment();
    await upgrades.upgradeBeacon(beacon, await ethers.getContractFactory('BoxV2'));
    const next = await ethers.getContractAt('BoxV2', await box.getAddress());
    await (await next.increment()).wait();
    expect(await next.value()).to.equal(8n);
  });
});
