import { z } from 'zod';
import { hashSchema } from '../../../core/api/values.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { parseUntilError } from '../../../core/lib/parseUntilError.ts';

/** What somebody says a contract was compiled from. */
export interface Submission {
  /** `0.8.28+commit.7893614a`. */
  compiler: string;
  /** The source file of the contract, and its name. */
  path: string;
  name: string;
  /** Standard JSON, as it was submitted. */
  input: StandardJson;
  creationTxHash?: string | undefined;
}

/**
 * What a submission may occupy when it is parsed, besides its texts, and how many sources or settings it may have. One with a
 * thousand sources needs a fraction of it.
 */
export const submissionLimits = { maxHeapBytes: 8 * 1024 * 1024, maxMembers: 2_000 };

const inputSchema = z.looseObject({
  language: z.literal('Solidity', { error: 'only Solidity can be verified' }),
  sources: z.record(
    z.string().max(1024),
    z.looseObject({ content: z.string({ error: 'the content of each source is needed' }) }),
  ),
  settings: z.looseObject({}).default({}),
});
export type StandardJson = z.infer<typeof inputSchema>;

const submissionSchema = z.object({
  stdJsonInput: inputSchema,
  compilerVersion: z.string().min(1).max(128),
  contractIdentifier: z.string().max(1024).regex(/.:./, 'use the form src/Counter.sol:Counter'),
  creationTransactionHash: hashSchema.optional(),
});

/** A submission in Sourcify's form. Throws BadRequest that names the field. */
export function parseSubmission(value: unknown): Submission {
  const parsed = parseUntilError(submissionSchema, value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new AppError('BadRequest', `${issue?.path.map(String).join('.')}: ${issue?.message}`);
  }
  const { stdJsonInput: input, compilerVersion, contractIdentifier, creationTransactionHash } = parsed.data;
  const [path, name] = splitName(contractIdentifier);
  if (!Object.hasOwn(input.sources, path)) {
    throw new AppError('BadRequest', `contractIdentifier: the sources have no file ${path}`);
  }
  return {
    compiler: compilerVersion.replace(/^v/, ''),
    path,
    name,
    input,
    creationTxHash: creationTransactionHash,
  };
}

/** The file and the contract in `src/Counter.sol:Counter`. */
export function splitName(identifier: string): [path: string, name: string] {
  const at = identifier.lastIndexOf(':');
  return [identifier.slice(0, at), identifier.slice(at + 1)];
}

/** What the compiler gets: the same except for the requested output, which does not change the bytecode. */
export function inputOf({ input, path, name }: Submission): string {
  const evm = ['bytecode.object', 'deployedBytecode.object', 'deployedBytecode.immutableReferences'];
  const outputSelection = { [path]: { [name]: ['abi', ...evm.map((part) => `evm.${part}`)] } };
  return JSON.stringify({ ...input, settings: { ...input.settings, outputSelection } });
}
