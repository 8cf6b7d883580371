import { z } from 'zod';
import { listMetaSchema, timeSchema } from '../../../core/api/common.ts';
import { idParams, listQuerySchema, type Operation } from '../../../core/api/operations/operation.ts';
import { pathAddressSchema } from '../../../core/api/values.ts';

const weiSchema = z.string().meta({ examples: ['1000000000000000000'] });
const numberSchema = z.string().meta({ examples: ['812'] });

const innerCallSchema = z
  .object({
    type: z
      .string()
      .meta({ examples: ['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'] })
      .describe('How it was made.'),
    from: z.string().describe('The contract that made it.'),
    to: z.string().describe('The account that it called or created.'),
    value: weiSchema.describe('What it transferred, in wei.'),
  })
  .describe('A call within a transaction that transferred coins or created a contract.');
export type InnerCall = z.infer<typeof innerCallSchema>;

export const accountTransactionSchema = z
  .object({
    hash: z.string().describe('Hash of the transaction.'),
    block: numberSchema.describe('Number of its block.'),
    index: z.int().describe('Its place in the block.'),
    time: timeSchema.describe('Time of the block.'),
    from: z.string().describe('Who sent it.'),
    to: z.string().optional().describe('Whom it called; absent if it created a contract.'),
    created: z.string().optional().describe('The contract that it created.'),
    value: weiSchema.describe('What it transferred, in wei.'),
    fee: weiSchema.describe('What its sender paid for gas, in wei.'),
    method: z.string().optional().describe('The first four bytes of what it sent to a contract.'),
    status: z
      .string()
      .meta({ examples: ['success', 'failed'] })
      .describe('Whether it succeeded.'),
    inner: z
      .array(innerCallSchema)
      .describe(
        'Calls within it that moved coins to or from the account, or created a contract: the account, or one that it created.',
      ),
  })
  .describe('A transaction that an account sent, received, was created by, or was called in.');
export type AccountTransaction = z.infer<typeof accountTransactionSchema>;

export const tokenTransferSchema = z
  .object({
    hash: z.string().describe('Hash of the transaction.'),
    block: numberSchema.describe('Number of its block.'),
    time: timeSchema.describe('Time of the block.'),
    logIndex: z
      .int()
      .describe('Index of its event in the block. A batch of ERC-1155 has several transfers in one.'),
    token: z.string().describe('The contract of the token.'),
    standard: z
      .string()
      .meta({ examples: ['ERC-20', 'ERC-721', 'ERC-1155'] })
      .describe('The standard that defines the event.'),
    from: z.string().describe('Who had it; the zero address for what was minted.'),
    to: z.string().describe('Who got it; the zero address for what was burnt.'),
    amount: z.string().describe('In the smallest unit of the token; 1 for an NFT.'),
    tokenId: z.string().optional().describe('Of an NFT, or of a kind of ERC-1155 tokens.'),
  })
  .describe('A transfer of tokens.');
export type TokenTransfer = z.infer<typeof tokenTransferSchema>;

const coveredSchema = z
  .object({
    first: numberSchema.describe('The first block of the network: after the forked block of a fork.'),
    from: numberSchema.describe('The oldest block that was searched.'),
    to: numberSchema.describe(
      'The newest block that was searched. If many are new at once, the next answer has the others.',
    ),
    untraced: z
      .int()
      .describe(
        'How many of these blocks the node has no traces of: calls within their transactions are missing.',
      ),
  })
  .describe('The blocks that were searched. Older ones are searched when the next page is read.');
export type Covered = z.infer<typeof coveredSchema>;

const historyOf = <T extends z.ZodType, const K extends string>(kind: K, item: T) =>
  z.object({
    kind: z.literal(kind),
    version: z.literal('v1alpha'),
    enclaveID: z.string().describe('The incarnation of the network that was read.'),
    covered: coveredSchema,
    items: z.array(item).describe('The newest first.'),
    metadata: listMetaSchema,
  });

export const accountTransactionListSchema = historyOf(
  'AccountTransactionList',
  accountTransactionSchema,
).describe('A page of the transactions of an account.');
export const tokenTransferListSchema = historyOf('TokenTransferList', tokenTransferSchema).describe(
  'A page of transfers of tokens.',
);

/** What a page says. */
export interface Page<T> {
  /** The newest first. */
  items: readonly T[];
  covered: Covered;
  metadata: { cursor?: string | undefined };
}

/** Which page is read. */
export interface PageQuery {
  limit: number;
  cursor?: string;
}

/** How many entries a page has when nothing is said. */
export const usualEntries = 50;

const accountParams = idParams.extend({
  address: pathAddressSchema.describe('Address of the account, in upper or lower case.'),
});
const pageQuerySchema = listQuerySchema.pick({ limit: true, cursor: true });

/** Query of GET .../transfers. */
const transferQuerySchema = pageQuerySchema.extend({
  of: z
    .enum(['account', 'token'])
    .optional()
    .describe(
      'account: transfers to and from the address, the default. token: transfers of the token at the address.',
    ),
});

const history = {
  method: 'GET',
  api: 'network',
  params: accountParams,
  errors: [400, 404, 409],
  permission: 'networks:read',
} as const;

const how = `The newest first. The service reads the blocks of the chain from the newest one back, as far as a page needs, and keeps what it found as an index in memory; it follows new blocks, and forgets those that a revert or reorganization removed. A page may have fewer entries than asked for, or none, while older blocks are still to be searched: its cursor goes on there; if the chain goes back in between, begin again. \`covered\` says which blocks were searched. The index holds a bounded number of entries: on a chain with more, the list ends there, and covered.from is greater than covered.first. Blocks of a forked chain are not searched. Neither wakes the network nor counts as activity: a network that is not Operational is refused with 409, one that is not an EVM network with 400.`;

/** What an index of the chain answers, and a node does not. */
export const historyOperations = {
  listAccountTransactions: {
    ...history,
    path: '/v1alpha/networks/{id}/accounts/{address}/transactions',
    summary: 'List the transactions of an account',
    description: `Those that it sent or received, that created it, and those within which it was called. ${how}`,
    query: pageQuerySchema,
    success: { status: 200, schema: accountTransactionListSchema, description: 'A page of transactions.' },
  },
  listTokenTransfers: {
    ...history,
    path: '/v1alpha/networks/{id}/accounts/{address}/transfers',
    summary: 'List transfers of tokens',
    description: `Of ERC-20, ERC-721 and ERC-1155 tokens, to and from an account or of one token. ${how}`,
    query: transferQuerySchema,
    success: { status: 200, schema: tokenTransferListSchema, description: 'A page of transfers.' },
  },
} as const satisfies Record<string, Operation>;
