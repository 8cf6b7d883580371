import { AbiCoder, getAddress, Interface, keccak256, solidityPacked, Transaction, toBeHex } from 'ethers';
import type { ChainType } from '../../api/resources/chainSpecs.ts';
import type { EvmDriver } from './driver.ts';
import { evmDrivers } from './drivers.ts';
import { describeChain } from './testing/conformance.ts';
import type { TestChain } from './testing/testChain.ts';

/** Fees and messages of the OP Stack. */

const someone = getAddress('0x00000000000000000000000000000000000000dd');
const l1Block = '0x4200000000000000000000000000000000000015';
const gasPriceOracle = '0x420000000000000000000000000000000000000F';
const messenger = '0x4200000000000000000000000000000000000007';
const messagePasser = '0x4200000000000000000000000000000000000016';
const baseFeeVault = '0x4200000000000000000000000000000000000019';
const l1FeeVault = '0x420000000000000000000000000000000000001A';
const depositor = '0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001';

/** Typical L1 prices. */
const l1BaseFee = 1_000_000_000n;
const attributesTypes = [
  ...['bytes4', 'uint32', 'uint32', 'uint64', 'uint64', 'uint64', 'uint256', 'uint256', 'bytes32', 'bytes32'],
];

/** Sends as an account without a known key, and waits until the transaction is in a block. */
async function sendAs(chain: TestChain, request: { from: string; to: string; data: string }) {
  await chain.provider.send('anvil_impersonateAccount', [request.from]);
  await chain.provider.send('anvil_setBalance', [request.from, toBeHex(10n ** 18n)]);
  const hash: string = await chain.provider.send('eth_sendTransaction', [request]);
  const receipt = await chain.provider.waitForTransaction(hash);
  if (!receipt) throw new Error('the transaction has no receipt');
  return receipt;
}

const l1BlockAbi = [
  'function number() view returns (uint64)',
  'function basefee() view returns (uint256)',
  'function blobBaseFee() view returns (uint256)',
  'function baseFeeScalar() view returns (uint32)',
  'function blobBaseFeeScalar() view returns (uint32)',
  'function hash() view returns (bytes32)',
  'function operatorFeeScalar() view returns (uint32)',
  'function setL1BlockValuesEcotone()',
];
const oracleAbi = [
  'function getL1Fee(bytes) view returns (uint256)',
  'function getL1GasUsed(bytes) view returns (uint256)',
  'function getL1FeeUpperBound(uint256) view returns (uint256)',
  'function getOperatorFee(uint256) view returns (uint256)',
  'function isFjord() view returns (bool)',
];

const rollups: [ChainType, EvmDriver, [number, number]][] = [
  ['Optimism', evmDrivers.Optimism, [5227, 1_014_213]],
  ['Base', evmDrivers.Base, [2269, 1_055_762]],
  ['Mantle', evmDrivers.Mantle, [5227, 1_014_213]],
];

/** Bytes and their length after FastLZ compression, worked out by hand from the specification. */
const payloads: [string, string, bigint][] = [
  ['noise: 60 runs of 32 literals', keccakStream(60), 60n * 33n],
  // 640 literals, a match of 729 bytes and two skipped bytes, 5 literals.
  [
    'noise that returns',
    keccakStream(20) + keccakStream(20).slice(2) + keccakStream(3).slice(2),
    660n + 9n + 6n,
  ],
];

const sent: [string, string][] = [
  ['nothing', '0x'],
  ['zeroes', `0x${'00'.repeat(3000)}`],
  ['words', `0x${Buffer.from('the quick brown fox and the lazy dog '.repeat(40)).toString('hex')}`],
  ...payloads.map(([name, data]): [string, string] => [name, data]),
];

function keccakStream(words: number): string {
  const parts: string[] = [];
  for (let index = 0; index < words; index += 1) parts.push(keccak256(toBeHex(index, 32)).slice(2));
  return `0x${parts.join('')}`;
}

for (const [type, driver, [baseFeeScalar, blobBaseFeeScalar]] of rollups) {
  const priceScaled = BigInt(baseFeeScalar) * l1BaseFee * 16n + BigInt(blobBaseFeeScalar);

  describeChain(type, driver, (chain) => {
    it('has the scalars of its public chain and an L1 that costs nothing', async () => {
      const attributes = chain().contractAt(l1Block, l1BlockAbi);
      expect(await attributes.number!()).toBe(1n);
      expect(await attributes.basefee!()).toBe(0n);
      expect(await attributes.blobBaseFee!()).toBe(0n);
      expect(await attributes.baseFeeScalar!()).toBe(BigInt(baseFeeScalar));
      expect(await attributes.blobBaseFeeScalar!()).toBe(BigInt(blobBaseFeeScalar));
      const oracle = chain().contractAt(gasPriceOracle, oracleAbi);
      expect(await oracle.getL1Fee!('0x1234')).toBe(0n);
      expect(await oracle.getOperatorFee!(1_000_000n)).toBe(0n);
      expect(await oracle.isFjord!()).toBe(true);
      await chain().send({ to: someone });
      expect(await chain().provider.getBalance(l1FeeVault)).toBe(0n);
    });

    it('accepts L1 prices only from the depositor', async () => {
      const attributes = chain().contractAt(l1Block, l1BlockAbi);
      const l1Hash = keccak256('0x01');
      const scalars = [baseFeeScalar, blobBaseFeeScalar];
      const data = solidityPacked(attributesTypes, [
        ...['0x440a5e20', ...scalars, 13, 14, 15, l1BaseFee, 1, l1Hash, l1Hash],
      ]);
      await expect(chain().provider.call({ to: l1Block, data, from: someone })).rejects.toThrow();
      await sendAs(chain(), { from: depositor, to: l1Block, data });
      expect(await attributes.number!()).toBe(15n);
      expect(await attributes.basefee!()).toBe(l1BaseFee);
      expect(await attributes.blobBaseFee!()).toBe(1n);
      expect(await attributes.baseFeeScalar!()).toBe(BigInt(baseFeeScalar));
      expect(await attributes.hash!()).toBe(l1Hash);
    });

    it.each(payloads)('then reports the fee of the specification: %s', async (_name, data, length) => {
      const oracle = chain().contractAt(gasPriceOracle, oracleAbi);
      const sizeScaled = 836_500n * (length + 68n) - 42_585_600n;
      expect(await oracle.getL1Fee!(data)).toBe((sizeScaled * priceScaled) / 10n ** 12n);
      expect(await oracle.getL1GasUsed!(data)).toBe((sizeScaled * 16n) / 1_000_000n);
    });

    it.each(sent)('then charges the fee of its oracle to the wei: %s', async (_name, data) => {
      const oracle = chain().contractAt(gasPriceOracle, oracleAbi);
      const before = await chain().provider.getBalance(l1FeeVault);
      const { hash } = await chain().send({ to: someone, data, gasLimit: 2_000_000n });
      const charged = (await chain().provider.getBalance(l1FeeVault)) - before;
      const transaction = await chain().provider.getTransaction(hash);
      if (!transaction) throw new Error('the transaction is gone');
      const { serialized } = Transaction.from(transaction);
      // The oracle adds 68 bytes for a signature, which these bytes already contain.
      const exact = (await oracle.getL1Fee!(serialized)) - (68n * 836_500n * priceScaled) / 10n ** 12n;
      const smallest = (100_000_000n * priceScaled) / 10n ** 12n;
      const difference = charged - (exact > smallest ? exact : smallest);
      expect(Math.abs(Number(difference))).toBeLessThanOrEqual(1);
    });

    it('pays base fees to their vault', async () => {
      const before = await chain().provider.getBalance(baseFeeVault);
      const { gasUsed, blockNumber } = await chain().send({ to: someone });
      const { baseFeePerGas } = (await chain().provider.getBlock(blockNumber)) ?? {};
      expect((await chain().provider.getBalance(baseFeeVault)) - before).toBe(
        gasUsed * (baseFeePerGas ?? 0n),
      );
    });
  });
}

const messengerAbi = [
  'function sendMessage(address target, bytes message, uint32 minGasLimit) payable',
  'function messageNonce() view returns (uint256)',
  'function OTHER_MESSENGER() view returns (address)',
  'function xDomainMessageSender() view returns (address)',
  'function relayMessage(uint256 nonce, address sender, address target, uint256 value, uint256 minGasLimit, bytes message) payable',
  'event SentMessage(address indexed target, address sender, bytes message, uint256 messageNonce, uint256 gasLimit)',
  'event RelayedMessage(bytes32 indexed msgHash)',
];
const passerAbi = [
  'function sentMessages(bytes32) view returns (bool)',
  'function messageNonce() view returns (uint256)',
  'event MessagePassed(uint256 indexed nonce, address indexed sender, address indexed target, uint256 value, uint256 gasLimit, bytes data, bytes32 withdrawalHash)',
];

describeChain('Base', evmDrivers.Base, (chain) => {
  it('records messages to L1 as withdrawals', async () => {
    const contract = chain().contractAt(messenger, messengerAbi);
    const sent = await (await contract.sendMessage!(someone, '0x1234', 100_000, { value: 5n })).wait();
    const passer = new Interface(passerAbi);
    const log = sent.logs.find(({ address }: { address: string }) => address === messagePasser);
    const { args } = passer.parseLog(log) ?? {};
    expect(args?.slice(0, 4)).toEqual([1n << 240n, messenger, await contract.OTHER_MESSENGER!(), 5n]);
    const types = ['uint256', 'address', 'address', 'uint256', 'uint256', 'bytes'];
    const hash = keccak256(AbiCoder.defaultAbiCoder().encode(types, args?.slice(0, 6) ?? []));
    expect(args?.withdrawalHash).toBe(hash);
    const outbox = chain().contractAt(messagePasser, passerAbi);
    expect(await outbox.sentMessages!(hash)).toBe(true);
    expect(await outbox.messageNonce!()).toBe((1n << 240n) + 1n);
    expect(await contract.messageNonce!()).toBe((1n << 240n) + 1n);
    expect(await chain().provider.getBalance(messagePasser)).toBe(5n);
  });

  it('relays messages of the messenger on L1, once, and no others', async () => {
    const contract = chain().contractAt(messenger, messengerAbi);
    const message = [0n, someone, someone, 0n, 21_000n, '0x'];
    await expect(contract.relayMessage!.staticCall(...message)).rejects.toThrow('cannot be replayed');
    const alias = toBeHex(
      BigInt(await contract.OTHER_MESSENGER!()) + BigInt(`0x1111${'0'.repeat(32)}1111`),
      20,
    );
    const data = contract.interface.encodeFunctionData('relayMessage', message);
    const { logs } = await sendAs(chain(), { from: alias, to: messenger, data });
    expect(logs.map((log) => contract.interface.parseLog(log)?.name)).toEqual(['RelayedMessage']);
    await expect(chain().provider.call({ from: alias, to: messenger, data })).rejects.toThrow(
      'already been relayed',
    );
    await expect(contract.xDomainMessageSender!()).rejects.toThrow('xDomainMessageSender is not set');
  });
});
