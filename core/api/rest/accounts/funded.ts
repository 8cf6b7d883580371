import { z } from 'zod';

const fundedAccountSchema = z
  .object({
    address: z.string().describe('Address in the form of the chain.'),
    source: z
      .enum(['privateKeyRef', 'mnemonicRef', 'developmentAccounts', 'caller'])
      .describe(
        "Why it is funded: by these members of the spec, or because it is the caller's own account, with which the service signs for them.",
      ),
    secret: z.string().optional().describe('Name of the secret that has its key.'),
    index: z.int().optional().describe("Its number among the accounts of a mnemonic: m/44'/60'/0'/0/index."),
    hasKey: z.boolean().describe('Whether the caller may read its key.'),
  })
  .describe('An account that has funds at genesis.');
export type FundedAccount = z.infer<typeof fundedAccountSchema>;

export const fundedAccountListSchema = z
  .object({
    kind: z.literal('FundedAccountList'),
    version: z.literal('v1alpha'),
    items: z.array(fundedAccountSchema),
  })
  .describe('The accounts of a network that have funds at genesis.');

export const fundedAccountKeySchema = z
  .object({
    kind: z.literal('FundedAccountKey'),
    version: z.literal('v1alpha'),
    address: z.string().describe('Address in the form of the chain.'),
    privateKey: z.string().describe('The private key: 0x and 64 hexadecimal digits.'),
  })
  .describe('The private key of an account.');
