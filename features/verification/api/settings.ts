import { z } from 'zod';

export const compilerSettingsSchema = z
  .object({
    /** Where the compilers listen, without a trailing slash; empty: contracts cannot be verified. */
    url: z.string().default(''),
    /** Verified contracts that a network may have. */
    maxContracts: z.int().min(1).default(500),
    /** What the verified contracts of a workspace may occupy, in MiB. */
    maxMiB: z.int().min(1).default(64),
  })
  .prefault({});
export type CompilerSettings = z.infer<typeof compilerSettingsSchema>;
