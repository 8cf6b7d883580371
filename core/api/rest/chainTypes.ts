import { z } from 'zod';
import { chainTypeNames } from '../resources/chainSpecs.ts';

const availability = {
  missing: z
    .string()
    .optional()
    .describe('Why this installation cannot run it, with the remedy; absent when it can.'),
  wait: z
    .string()
    .optional()
    .describe('What is built first and about how long that takes; absent when all of it is there.'),
};

const chainOptionNames = ['profile', 'forking', 'elType', 'clType', 'plugins'] as const;

export const chainOptionSchema = z
  .object({
    setting: z.enum(chainOptionNames).describe("The setting of the chain's spec, or of its participants."),
    value: z.string().describe('The value of the setting, or the name of the plugin; "enabled" for forking.'),
    description: z.string().optional().describe('What it is.'),
    ...availability,
  })
  .describe('A choice that networks of a type have.');
export type ChainOption = z.infer<typeof chainOptionSchema>;

export const chainTypeOfferSchema = z
  .object({
    type: z.enum(chainTypeNames).describe('The chain type.'),
    ...availability,
    options: z.array(chainOptionSchema).describe('The choices of its networks.'),
  })
  .describe('A chain type, and what of it this installation can run.');
export type ChainTypeOffer = z.infer<typeof chainTypeOfferSchema>;

export const chainTypeListSchema = z
  .object({
    kind: z.literal('ChainTypeList'),
    version: z.literal('v1alpha'),
    items: z.array(chainTypeOfferSchema),
    idleAfterSeconds: z
      .int()
      .describe('When a network without spec.idleAfter stops: this long after its last wake-up.'),
  })
  .describe('The chain types, and what of them this installation can run.');
