import { z } from 'zod';
import { checkedAlways, checkNewName, listMetaSchema, nameSchema, objectMetaSchema } from '../common.ts';
import type { NamespacedObject } from './kubeObject.ts';

/** 64 KiB of payload in base64, or its sealed form. */
const maxDataLength = 131_072;

export const secretSpecSchema = z
  .strictObject({
    type: z
      .string()
      .min(1)
      .max(253)
      .describe(
        'Any text: a hint for clients on how to interpret the data. The service does not enforce it.',
      ),
    data: z
      .string()
      .max(maxDataLength)
      .describe(
        'Base64 of the raw secret bytes. Sealed before it is stored: reading it from Kubernetes returns cipher text.',
      ),
  })
  .describe('The data of the secret and how to interpret it.');
export type SecretSpec = z.infer<typeof secretSpecSchema>;

/** The Secret custom resource of slipway.dev (not the core Secret). */
export interface SecretResource extends NamespacedObject {
  kind: 'Secret';
  spec: SecretSpec;
}

/** The Secret as REST returns it. Only its owner sees `data`. */
export const secretSchema = z
  .object({
    kind: z.literal('Secret'),
    version: z.literal('v1alpha'),
    id: z.string(),
    name: nameSchema,
    metadata: objectMetaSchema,
    type: z.string(),
    data: z.string().optional().describe('Base64 of the raw secret bytes; returned only to the owner.'),
  })
  .describe('A small piece of secret data.');
export type SecretBody = z.infer<typeof secretSchema>;

export const secretListSchema = z.object({
  kind: z.literal('SecretList'),
  version: z.literal('v1alpha'),
  items: z.array(secretSchema),
  metadata: listMetaSchema,
});

/** 64 KiB in base64. */
const maxInputLength = 87_384;

/** Body of POST. The decoder checks that `data` is canonical base64. */
export const secretInputSchema = z
  .strictObject({
    kind: z.literal('Secret').optional(),
    version: z.literal('v1alpha').optional(),
    id: z.string().optional(),
    name: nameSchema.optional(),
    metadata: objectMetaSchema.strict().optional(),
    type: secretSpecSchema.shape.type,
    data: z
      .string()
      .min(1)
      .max(maxInputLength)
      .regex(
        /^[A-Za-z0-9+/]*={0,2}$/,
        'use base64 with the standard alphabet, with padding and without white space',
      )
      .describe('Base64 of the raw secret bytes; at most 64 KiB before encoding.'),
  })
  .superRefine(checkNewName, checkedAlways)
  .describe('A secret to create.');
export type SecretInput = z.infer<typeof secretInputSchema>;
