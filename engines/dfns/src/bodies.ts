import { getAddress, Interface } from 'ethers';
import { z } from 'zod';
import type { SubmittedItem } from '../../../core/api/rest/transaction.ts';
import { usedAddressSchema } from '../../../core/api/values.ts';

/** The requests of Dfns that are served. Members that have no meaning on EVM chains are refused by name. */

const address = usedAddressSchema.transform((text) => getAddress(text));
const amount = z
  .string()
  .regex(/^(\d{1,78}|0x[0-9a-fA-F]{1,64})$/, 'use an integer as text, in the smallest unit')
  .refine((text) => BigInt(text) < 2n ** 256n, 'is larger than 2^256 - 1')
  .transform((text) => BigInt(text).toString());
const bytes = z.string().regex(/^0x([0-9a-fA-F]{2})*$/, 'use bytes in hexadecimal, with 0x');
const digest = z.string().regex(/^(0x)?[0-9a-fA-F]{64}$/, 'use 32 bytes in hexadecimal');
const externalId = z.string().min(1).max(256).optional();
const name = z.string().max(256);
const tags = z.array(z.string().max(64)).max(50);

export const createKeySchema = z.strictObject({
  scheme: z.literal('ECDSA', 'only ECDSA keys on secp256k1 are served'),
  curve: z.literal('secp256k1', 'only ECDSA keys on secp256k1 are served'),
  name: name.optional(),
});
export const updateKeySchema = z.strictObject({ name: name.nullable() });
export const createWalletSchema = z.strictObject({
  network: z.string(),
  name: name.optional(),
  signingKey: z.strictObject({ id: z.string() }).optional(),
  externalId,
  tags: tags.optional(),
});
export const updateWalletSchema = z.strictObject({
  name: name.nullable().optional(),
  externalId: z.string().min(1).max(256).nullable().optional(),
});
export const tagsSchema = z.strictObject({ tags });

const typedData = z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() })));
/** To which chain a signature of a key belongs; wallets know theirs. */
const chain = { network: z.string().optional(), blockchainKind: z.string().optional(), externalId };

export const signatureSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('Hash'), hash: digest, ...chain }),
  z.strictObject({ kind: z.literal('Message'), message: bytes, ...chain }),
  z.strictObject({ kind: z.literal('Eip191'), message: bytes, ...chain }),
  z.strictObject({
    kind: z.literal('Eip712'),
    types: typedData,
    message: z.record(z.string(), z.unknown()),
    domain: z.looseObject({ chainId: z.union([z.number(), z.string()]).optional() }),
    ...chain,
  }),
  z.strictObject({ kind: z.literal('Transaction'), transaction: bytes, ...chain }),
]);
export type SignatureBody = z.infer<typeof signatureSchema>;

const transferable = { to: address, amount, externalId, priority: z.string().optional() };
export const transferSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('Native'), ...transferable }),
  z.strictObject({ kind: z.literal('Erc20'), contract: address, ...transferable }),
  z.strictObject({ kind: z.literal('Erc721'), contract: address, to: address, tokenId: amount, externalId }),
]);
export type TransferBody = z.infer<typeof transferSchema>;

const evm = {
  to: address.optional(),
  value: amount.optional(),
  data: bytes.optional(),
  gasLimit: amount.optional(),
  nonce: z.union([z.number(), amount]).transform(Number).pipe(z.int().min(0)).optional(),
  externalId,
};
export const transactionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('Evm'), ...evm }),
  z.strictObject({
    kind: z.literal('Eip1559'),
    ...evm,
    maxFeePerGas: amount.optional(),
    maxPriorityFeePerGas: amount.optional(),
  }),
  z.strictObject({ kind: z.literal('Transaction'), transaction: bytes, externalId }),
]);

const tokens = new Interface([
  'function transfer(address to, uint256 amount)',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
]);

/** The transaction that moves an asset from an address. */
export function transferItem(body: TransferBody, from: string): SubmittedItem {
  if (body.kind === 'Native') return anItem({ to: body.to, value: body.amount });
  if (body.kind === 'Erc20') {
    return anItem({ to: body.contract, data: tokens.encodeFunctionData('transfer', [body.to, body.amount]) });
  }
  const data = tokens.encodeFunctionData('safeTransferFrom', [from, body.to, body.tokenId]);
  return anItem({ to: body.contract, data });
}

/** An item whose absent members are determined when it is sent. */
export function anItem(members: Partial<SubmittedItem>): SubmittedItem {
  return { value: '0', data: '0x', ...members };
}
