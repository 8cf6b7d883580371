import { AbiCoder } from 'ethers';
import type { Reader } from '../../reader.ts';
import type { Log } from '../model.ts';
import type { Found, SearchRange } from '../search/searched.ts';
import { searchLogs } from '../search/searchLogs.ts';

/** ERC-20 and ERC-721: Transfer(address,address,uint256), which ERC-721 indexes whole. */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** ERC-1155: TransferSingle(address,address,address,uint256,uint256). */
const singleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
/** ERC-1155: TransferBatch(address,address,address,uint256[],uint256[]). */
const batchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';

export type TokenStandard = 'ERC-20' | 'ERC-721' | 'ERC-1155';

export interface Transfer {
  /** Different for each. */
  key: string;
  hash: string;
  block: bigint;
  /** The contract. */
  token: string;
  /** The one whose event it is. */
  standard: TokenStandard;
  from: string;
  to: string;
  /** In the smallest unit; 1 for an NFT. */
  amount: bigint;
  /** Of an NFT, or of a kind of ERC-1155 tokens. */
  tokenId?: bigint;
}

/** The transfers that a log says; none for what is not a transfer. */
export function transfersOf(log: Log): Transfer[] {
  const { hash, block } = log;
  if (hash === undefined || block === undefined) return [];
  const place = { hash, block, token: log.address };
  try {
    return movesOf(log).map((move, index) => ({ key: `${block}/${log.index}/${index}`, ...place, ...move }));
  } catch {
    // A contract may use the name of the event for something else.
    return [];
  }
}

type Move = Pick<Transfer, 'standard' | 'from' | 'to' | 'amount' | 'tokenId'>;

function movesOf({ topics, data }: Log): Move[] {
  const [topic, first = '', second = '', third = ''] = topics;
  if (topic === transferTopic && topics.length === 3) {
    return [{ standard: 'ERC-20', from: addressIn(first), to: addressIn(second), amount: BigInt(data) }];
  }
  if (topic === transferTopic && topics.length === 4) {
    const tokenId = BigInt(third);
    return [{ standard: 'ERC-721', from: addressIn(first), to: addressIn(second), amount: 1n, tokenId }];
  }
  if (topics.length !== 4) return [];
  const common = { standard: 'ERC-1155', from: addressIn(second), to: addressIn(third) } as const;
  const decode = (types: string[]) => AbiCoder.defaultAbiCoder().decode(types, data);
  if (topic === singleTopic) {
    const [tokenId, amount] = decode(['uint256', 'uint256']);
    return [{ ...common, tokenId, amount }];
  }
  if (topic !== batchTopic) return [];
  const [ids, amounts] = decode(['uint256[]', 'uint256[]']);
  return [...ids].map((tokenId: bigint, index) => ({ ...common, tokenId, amount: amounts[index] }));
}

const addressIn = (topic: string): string => `0x${topic.slice(-40)}`;
const topicOf = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

/** Whose transfers: those from or to an account, or those of a token. */
export type Subject = { account: string } | { token: string };

function filtersOf(subject: Subject): object[] {
  const kinds = [transferTopic, singleTopic, batchTopic];
  if ('token' in subject) return [{ address: subject.token, topics: [kinds] }];
  const own = topicOf(subject.account);
  return [
    { topics: [transferTopic, own] },
    { topics: [transferTopic, null, own] },
    { topics: [[singleTopic, batchTopic], null, own] },
    { topics: [[singleTopic, batchTopic], null, null, own] },
  ];
}

/** The transfers in as many blocks as one call may search. */
export async function searchTransfers(
  reader: Reader,
  subject: Subject,
  range: SearchRange,
): Promise<Found<Transfer>> {
  const { logs, from } = await searchLogs(reader, filtersOf(subject), range);
  // From and to the same account, one is found twice.
  const found = [...new Map(logs.flatMap(transfersOf).map((transfer) => [transfer.key, transfer])).values()];
  return { found: found.sort(newestFirst), from, skipped: 0 };
}

function newestFirst(a: Transfer, b: Transfer): number {
  if (a.block !== b.block) return a.block > b.block ? -1 : 1;
  return b.key.localeCompare(a.key, 'en', { numeric: true });
}
