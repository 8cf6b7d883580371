/** A log as a receipt has it. */
export interface ReceiptLog {
  address: string;
  topics: readonly string[];
  data: string;
  logIndex: number;
}

/** A transfer of tokens that a log records. */
export interface Transferred {
  /** The contract. */
  token: string;
  logIndex: number;
  /** The standard that defines the event. */
  standard: 'ERC-20' | 'ERC-721' | 'ERC-1155';
  from: string;
  to: string;
  /** In the smallest unit, in decimal; 1 for an NFT. */
  amount: string;
  /** Of an NFT, or of a kind of ERC-1155 tokens. */
  tokenId?: string;
}

/** ERC-20 and ERC-721: Transfer(address,address,uint256), of which ERC-721 indexes the last one too. */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** ERC-1155: TransferSingle(address,address,address,uint256,uint256). */
const singleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
/** ERC-1155: TransferBatch(address,address,address,uint256[],uint256[]). */
const batchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';

/** The transfers that a log records; none for what is not a transfer. Addresses are in lower case. */
export function transfersIn({ address, topics, data, logIndex }: ReceiptLog): Transferred[] {
  const place = { token: address.toLowerCase(), logIndex };
  try {
    return movesOf(topics, data).map((move) => ({ ...place, ...move }));
  } catch {
    // A contract may use the name of the event for something else.
    return [];
  }
}

type Move = Omit<Transferred, 'token' | 'logIndex'>;

function movesOf([topic, first = '', second = '', third]: readonly string[], data: string): Move[] {
  if (topic === transferTopic) return plainMoves({ first, second, third, data });
  if (third === undefined || (topic !== singleTopic && topic !== batchTopic)) return [];
  const common = { standard: 'ERC-1155' as const, from: addressIn(second), to: addressIn(third) };
  const [ids, amounts] =
    topic === singleTopic ? [[wordAt(data, 0)], [wordAt(data, 32)]] : [arrayAt(data, 0), arrayAt(data, 32)];
  if (ids.length !== amounts.length) return [];
  return ids.map((tokenId, index) => ({
    ...common,
    amount: String(amounts[index]),
    tokenId: String(tokenId),
  }));
}

/** The word at an offset in bytes. Throws RangeError if the data ends before. */
function wordAt(data: string, offset: number): bigint {
  const start = 2 + 2 * offset;
  const digits = data.slice(start, start + 64);
  if (digits.length < 64) throw new RangeError('the data ends before this word');
  return BigInt(`0x${digits}`);
}

/** The array of words whose offset is at `place`. ethers takes a time that grows with the square of the length. */
function arrayAt(data: string, place: number): bigint[] {
  const start = Number(wordAt(data, place));
  const length = Number(wordAt(data, start));
  // Throws where the array says that it is longer than the data.
  if (length > 0) wordAt(data, start + 32 * length);
  return Array.from({ length }, (_, index) => wordAt(data, start + 32 * (index + 1)));
}

interface Plain {
  first: string;
  second: string;
  third: string | undefined;
  data: string;
}

function plainMoves({ first, second, third, data }: Plain): Move[] {
  if (second === '') return [];
  const ends = { from: addressIn(first), to: addressIn(second) };
  if (third !== undefined)
    return [{ standard: 'ERC-721', ...ends, amount: '1', tokenId: String(BigInt(third)) }];
  if (data.length !== 66) return [];
  return [{ standard: 'ERC-20', ...ends, amount: String(BigInt(data)) }];
}

const addressIn = (topic: string): string => `0x${topic.slice(-40).toLowerCase()}`;
