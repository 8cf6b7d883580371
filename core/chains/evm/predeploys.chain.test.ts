import { getAddress, keccak256 } from 'ethers';
import { evmDrivers } from './drivers.ts';
import { describeChain } from './testing/conformance.ts';

/** Contracts that exist on one chain type only. */

const someone = getAddress('0x00000000000000000000000000000000000000dd');

describeChain('Arbitrum', evmDrivers.Arbitrum, (chain) => {
  const arbSys = [
    'function arbBlockNumber() view returns (uint256)',
    'function arbBlockHash(uint256) view returns (bytes32)',
    'function arbChainID() view returns (uint256)',
    'function arbOSVersion() view returns (uint256)',
    'function mapL1SenderContractAddressToL2Alias(address, address) view returns (address)',
    'function sendTxToL1(address, bytes) payable returns (uint256)',
    'event L2ToL1Tx(address caller, address indexed destination, uint256 indexed hash, uint256 indexed position, uint256 arbBlockNum, uint256 ethBlockNum, uint256 timestamp, uint256 callvalue, bytes data)',
  ];

  it('answers as ArbSys', async () => {
    const contract = chain().contractAt('0x0000000000000000000000000000000000000064', arbSys);
    const sent = await (await contract.sendTxToL1!(someone, '0x99', { value: 3n })).wait();
    const { args } = contract.interface.parseLog(sent.logs[0]) ?? {};
    expect([args?.caller, args?.destination, args?.position, args?.callvalue, args?.data]).toEqual([
      chain().wallet.address,
      someone,
      0n,
      3n,
      '0x99',
    ]);
    await chain().send({ to: someone });
    expect(await contract.arbBlockNumber!()).toBe(BigInt(await chain().provider.getBlockNumber()));
    expect(await contract.arbBlockHash!(1n)).toBe((await chain().provider.getBlock(1))?.hash);
    await expect(contract.arbBlockHash!(99n)).rejects.toThrow();
    expect((await contract.arbChainID!()).toString()).toBe(chain().chainId);
    expect(await contract.arbOSVersion!()).toBe(116n);
    const alias = await contract.mapL1SenderContractAddressToL2Alias!(someone, someone);
    expect(alias.toLowerCase()).toBe('0x11110000000000000000000000000000000011ee');
  });

  it('answers as ArbGasInfo, ArbInfo and NodeInterface', async () => {
    const sixWords = 'returns (uint256, uint256, uint256, uint256, uint256, uint256)';
    const prices = chain().contractAt('0x000000000000000000000000000000000000006C', [
      `function getPricesInWei() view ${sixWords}`,
      'function getMinimumGasPrice() view returns (uint256)',
      'function getL1BaseFeeEstimate() view returns (uint256)',
    ]);
    const [ofTransaction, ofCalldata, , , , total] = await prices.getPricesInWei!();
    expect([ofTransaction, ofCalldata]).toEqual([0n, 0n]);
    expect(total > 0n && total <= 20_000_000n).toBe(true);
    expect(await prices.getMinimumGasPrice!()).toBe(20_000_000n);
    expect(await prices.getL1BaseFeeEstimate!()).toBe(0n);
    const info = chain().contractAt('0x0000000000000000000000000000000000000065', [
      'function getBalance(address) view returns (uint256)',
    ]);
    const { address } = chain().wallet;
    expect(await info.getBalance!(address)).toBe(await chain().provider.getBalance(address));
    const node = chain().contractAt('0x00000000000000000000000000000000000000C8', [
      'function blockL1Num(uint64) view returns (uint64)',
      'function nitroGenesisBlock() view returns (uint256)',
    ]);
    expect(await node.blockL1Num!(7n)).toBe(7n);
    expect(await node.nitroGenesisBlock!()).toBe(0n);
  });
});

describeChain('ZKSync', evmDrivers.ZKSync, (chain) => {
  it('answers as L2BaseToken, SystemContext and L1Messenger, and has Multicall3 where Era has it', async () => {
    const token = chain().contractAt('0x000000000000000000000000000000000000800A', [
      'function symbol() view returns (string)',
      'function balanceOf(uint256) view returns (uint256)',
    ]);
    expect(await token.symbol!()).toBe('ETH');
    const { address } = chain().wallet;
    expect(await token.balanceOf!(BigInt(address))).toBe(await chain().provider.getBalance(address));
    const context = chain().contractAt('0x000000000000000000000000000000000000800B', [
      'function chainId() view returns (uint256)',
      'function getBlockNumber() view returns (uint128)',
    ]);
    expect((await context.chainId!()).toString()).toBe(chain().chainId);
    expect(await context.getBlockNumber!()).toBe(BigInt(await chain().provider.getBlockNumber()));
    const l1 = chain().contractAt('0x0000000000000000000000000000000000008008', [
      'function sendToL1(bytes) returns (bytes32)',
    ]);
    expect(await l1.sendToL1!.staticCall('0xabcd')).toBe(keccak256('0xabcd'));
    const multicall = chain().contractAt('0xF9cda624FBC7e059355ce98a31693d299FACd963', [
      'function getChainId() view returns (uint256)',
    ]);
    expect((await multicall.getChainId!()).toString()).toBe(chain().chainId);
  });
});

describeChain('Polygon', evmDrivers.Polygon, (chain) => {
  it('has POL as a token that moves the value that is sent along', async () => {
    const token = chain().contractAt('0x0000000000000000000000000000000000001010', [
      'function symbol() view returns (string)',
      'function balanceOf(address) view returns (uint256)',
      'function transfer(address, uint256) payable returns (bool)',
    ]);
    expect(await token.symbol!()).toBe('POL');
    await (await token.transfer!(someone, 9n, { value: 9n })).wait();
    expect(await token.balanceOf!(someone)).toBe(9n);
    expect(await token.transfer!.staticCall(someone, 9n, { value: 8n })).toBe(false);
  });
});
