import { createHash } from 'node:crypto';

/** How Kubo cuts a file, and the links of a node, without options. */
const chunkBytes = 262_144;
const linksOfNode = 174;
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** True for a CIDv0, which is safe as the name of a file. */
export function isCid(text: string): boolean {
  return /^Qm[1-9A-HJ-NP-Za-km-z]{44}$/.test(text);
}

/** A node of the tree that a file is in IPFS. */
interface DagNode {
  hash: Buffer;
  /** Bytes of the file below it. */
  fileBytes: number;
  /** Bytes of its block and of all blocks below it. */
  treeBytes: number;
}

/** The CIDv0 of a file and the size of its tree, as `ipfs add` gives them: a balanced tree of UnixFS nodes. */
export function addressOf(content: Uint8Array): { cid: string; size: number } {
  let level: DagNode[] = [];
  for (let start = 0; start === 0 || start < content.length; start += chunkBytes) {
    level.push(leafOf(content.subarray(start, start + chunkBytes)));
  }
  while (level.length > 1) {
    const nodes: DagNode[] = [];
    for (let start = 0; start < level.length; start += linksOfNode) {
      nodes.push(parentOf(level.slice(start, start + linksOfNode)));
    }
    level = nodes;
  }
  const [root] = level;
  if (!root) throw new Error('a file has at least one node');
  return { cid: base58(root.hash), size: root.treeBytes };
}

function leafOf(chunk: Uint8Array): DagNode {
  const data = chunk.length === 0 ? Buffer.alloc(0) : bytesField(2, chunk);
  const unixfs = Buffer.concat([numberField(1, 2), data, numberField(3, chunk.length)]);
  return nodeOf(bytesField(1, unixfs), chunk.length, []);
}

function parentOf(children: readonly DagNode[]): DagNode {
  const links = children.map(({ hash, treeBytes }) =>
    bytesField(
      2,
      Buffer.concat([bytesField(1, hash), bytesField(2, Buffer.alloc(0)), numberField(3, treeBytes)]),
    ),
  );
  const fileBytes = children.reduce((sum, child) => sum + child.fileBytes, 0);
  const sizes = children.map((child) => numberField(4, child.fileBytes));
  const unixfs = Buffer.concat([numberField(1, 2), numberField(3, fileBytes), ...sizes]);
  return nodeOf(Buffer.concat([...links, bytesField(1, unixfs)]), fileBytes, children);
}

function nodeOf(block: Buffer, fileBytes: number, children: readonly DagNode[]): DagNode {
  const digest = createHash('sha256').update(block).digest();
  const treeBytes = children.reduce((sum, child) => sum + child.treeBytes, block.length);
  // The multihash of SHA-256: its code and its length.
  return { hash: Buffer.concat([Buffer.from([0x12, 0x20]), digest]), fileBytes, treeBytes };
}

/** A field of a protocol buffer with a length and bytes. */
function bytesField(field: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([(field << 3) | 2]), varint(bytes.length), bytes]);
}

function numberField(field: number, value: number): Buffer {
  return Buffer.concat([Buffer.from([field << 3]), varint(value)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

/** A multihash begins with 0x12, so there are no leading zeros to keep. */
function base58(bytes: Buffer): string {
  let text = '';
  for (let rest = BigInt(`0x${bytes.toString('hex')}`); rest > 0n; rest /= 58n) {
    text = `${alphabet[Number(rest % 58n)]}${text}`;
  }
  return text;
}
