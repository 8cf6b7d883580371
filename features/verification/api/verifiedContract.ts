import { z } from 'zod';
import { nameSchema, timeSchema } from '../../../core/api/common.ts';
import type { NamespacedObject } from '../../../core/api/resources/kubeObject.ts';
import { ownType } from '../../../core/api/resources/own.ts';
import { addressSchema, hashSchema, hexDataSchema } from '../../../core/api/values.ts';

/** Maximum number of characters of `data` and `abi` together: keeps the object below the 1.5 MB that etcd accepts per value. */
export const maxContractData = 900_000;

const matchSchema = z
  .enum(['exact_match', 'match'])
  .describe(
    'exact_match: the sources are the same to the last comment; match: the bytecode is, their hash is not.',
  );

/** What lists show of a verified contract. */
export const contractSummarySchema = z.object({
  address: addressSchema,
  name: z.string().max(1024).describe('Source file and contract: src/Counter.sol:Counter.'),
  compiler: z.string().max(128).describe('Version of the compiler.'),
  match: matchSchema.describe('The better one of runtimeMatch and creationMatch.'),
  runtimeMatch: matchSchema.describe('How the code on the chain compares with the compiled sources.'),
  creationMatch: matchSchema
    .optional()
    .describe('The same for the transaction that created it; absent unless it was specified.'),
  creationTxHash: hashSchema.optional(),
  constructorArguments: hexDataSchema
    .optional()
    .describe('ABI-encoded, read from the transaction that created it.'),
  codeHash: hashSchema.describe('Keccak-256 of the code on the chain that was compared.'),
  verifiedAt: timeSchema,
});

const attemptSchema = z
  .strictObject({
    id: z.string().max(64).describe('Id of the attempt.'),
    startedAt: timeSchema,
    finishedAt: timeSchema.optional(),
    error: z
      .strictObject({
        code: z.string().max(64).describe('In one word.'),
        message: z.string().max(4096).describe('For people.'),
      })
      .optional()
      .describe('Why it failed.'),
  })
  .describe('The last attempt to verify it.');

export const verifiedContractSpecSchema = z
  .strictObject({
    network: nameSchema.describe('Name of the Network.'),
    networkID: z.string().max(64).describe('Id of the network.'),
    enclaveID: z.string().max(253).describe('The incarnation of the network that it is deployed on.'),
    address: addressSchema,
    attempt: attemptSchema,
    verified: z
      .strictObject({
        ...contractSummarySchema.shape,
        data: z
          .string()
          .max(maxContractData)
          .describe('Base64 of gzip of JSON: the ABI and the standard JSON input of the compiler.'),
        abi: z
          .string()
          .max(maxContractData)
          .optional()
          .describe('The same of the ABI alone; absent in objects of version 0.3.0.'),
      })
      .optional()
      .describe('The outcome of the last attempt that succeeded.'),
  })
  .describe('A contract whose sources were compared with its bytecode.');
export type VerifiedContractSpec = z.infer<typeof verifiedContractSpecSchema>;

/** A contract that somebody verified. Internal: only the service writes it. */
export interface VerifiedContractResource extends NamespacedObject {
  kind: 'VerifiedContract';
  spec: VerifiedContractSpec;
}

export const verifiedContractType = ownType<VerifiedContractResource>('VerifiedContract');
