import { getCreateAddress, Wallet } from 'ethers';

/** The accounts and the contract of the chain that both nodes get. */

const key = new Wallet(`0x${'11'.repeat(32)}`);
export const sender = key.address;
export const receiver = `0x${'22'.repeat(20)}`;
export const unknownHash = `0x${'ab'.repeat(32)}`;
export const chainId = 1337n;

const word = (value: number) => value.toString(16).padStart(64, '0');
export const slot = (value: number) => `0x${word(value)}`;

/**
 * What the contract does depends on the first word of its calldata: with 0, it stores the second word in slot 0 and logs it; with
 * 1, it reverts with 0xaa; with anything else, it returns slot 0.
 */
const parts = {
  // calldataload(0); 0 jumps to `store`, 1 to `revert`
  branch: '5f3580156017578060011460265750',
  read: '5f545f5260205ff3',
  store: '5b602035805f55805f5260205fa100',
  revert: '5b60aa5f5260205ffd',
};
export const runtime = parts.branch + parts.read + parts.store + parts.revert;
/** Returns the code after its own ten bytes. */
export const creation = `0x60${(runtime.length / 2).toString(16)}600a5f3960${(runtime.length / 2).toString(16)}5ff3${runtime}`;

export const storing = (value: number) => slot(0) + word(value);
export const reverting = slot(1);
export const reading = slot(2);

/** The fees of most transactions. */
export const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n };
const gasPrice = 10n ** 11n;

export const transactionNames = [
  'transfer',
  'creation',
  'storing',
  'reverting',
  'legacy',
  'accessList',
  'lastTransfer',
] as const;
export type TransactionName = (typeof transactionNames)[number];

export const contract = getCreateAddress({
  from: sender,
  nonce: transactionNames.indexOf('creation'),
}).toLowerCase();
const accessList = [{ address: contract, storageKeys: [slot(0)] }];

/** Each is in a block of its own; their nonces are in the order of their names. */
export const transactions: Record<TransactionName, object> = {
  transfer: { type: 2, to: receiver, value: 5n, ...fees },
  creation: { type: 2, data: creation, ...fees },
  storing: { type: 2, to: contract, data: storing(7), ...fees },
  reverting: { type: 2, to: contract, data: reverting, ...fees },
  legacy: { type: 0, to: contract, data: storing(9), gasPrice },
  accessList: { type: 1, to: contract, data: storing(11), gasPrice, accessList },
  lastTransfer: { type: 2, to: receiver, value: 5n, ...fees },
};

export const sign = (nonce: number, transaction: object): Promise<string> =>
  key.signTransaction({ chainId, nonce, gasLimit: 200_000n, ...transaction });

/** Waits in the pool for a transaction that nobody sends. */
export const queued = { nonce: 9, transaction: { type: 2, to: receiver, value: 1n, ...fees } };

/** Sent once the calls are answered, for those who subscribed. */
export const next = { nonce: transactionNames.length, transaction: transactions.storing };
