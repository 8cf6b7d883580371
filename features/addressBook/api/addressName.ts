import { z } from 'zod';
import { withRules } from '../../../core/api/cel.ts';
import { timeSchema } from '../../../core/api/common.ts';
import type { NamespacedObject } from '../../../core/api/resources/kubeObject.ts';
import { ownType } from '../../../core/api/resources/own.ts';
import { pathAddressSchema } from '../../../core/api/values.ts';

/** Per workspace: clients read the whole book. */
export const maxNames = 1000;

/** What a text must not have. RE2, which kube-apiserver uses, reads the patterns in the same way. */
interface Refusal {
  pattern: RegExp;
  message: string;
}

/** It could look like another text. */
const hidden: Refusal = {
  pattern: /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u,
  message: 'must not contain line breaks, control characters or invisible characters: remove them',
};
const blanks: Refusal = {
  pattern: /^\p{Zs}|\p{Zs}$/u,
  message: 'must not begin or end with a blank: remove it',
};
/** Whoever writes a name where an address is expected means the name. */
const address: Refusal = {
  pattern: /^0[xX]/,
  message: 'must not begin with 0x, as addresses do: use a word',
};

/** A text that is checked over REST, and by kube-apiserver for kubectl. */
function textWithout(schema: z.ZodString, refusals: readonly Refusal[]): z.ZodString {
  const rules = refusals.map(({ pattern, message }) => ({
    rule: `!self.matches(r'${pattern.source}')`,
    message,
  }));
  const checked = refusals.reduce(
    (text, { pattern, message }) => text.refine((value) => !pattern.test(value), message),
    schema,
  );
  return checked.meta(withRules(...rules));
}

export const addressNameSpecSchema = z
  .strictObject({
    name: textWithout(z.string().min(1).max(64), [hidden, blanks, address]).describe(
      'What the address is called, such as "treasury". Unique in the workspace, whatever the case of its letters.',
    ),
    note: textWithout(z.string().max(256), [hidden])
      .optional()
      .describe('What else there is to know, such as who has the key.'),
  })
  .describe('The name of an address in a workspace.');

/** The address is the name of the object, so that it has one name. */
export const objectNameSchema = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/, 'use the address in small letters: 0x and 40 hexadecimal digits')
  .describe('The address, in small letters.');

export interface AddressNameResource extends NamespacedObject {
  kind: 'AddressName';
  spec: z.infer<typeof addressNameSpecSchema>;
}
export const addressNameType = ownType<AddressNameResource>('AddressName');

export const addressNameSchema = z
  .object({
    kind: z.literal('AddressName'),
    version: z.literal('v1alpha'),
    address: objectNameSchema,
    name: z.string().describe('What it is called.'),
    note: z.string().optional().describe('What else there is to know.'),
    createdAt: timeSchema.describe('When it was named first.'),
  })
  .describe('An address of the book, with its name.');
export type AddressName = z.infer<typeof addressNameSchema>;

export const addressNameListSchema = z
  .object({
    kind: z.literal('AddressNameList'),
    version: z.literal('v1alpha'),
    items: z.array(addressNameSchema).describe('All of them, by name.'),
  })
  .describe('The address book of a workspace.');

export const addressParams = z.object({
  address: pathAddressSchema.describe(
    'The address: 0x and 40 hexadecimal digits, in small letters or with its checksum (EIP-55).',
  ),
});
