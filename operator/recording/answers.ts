import { z } from 'zod';

/** Values in a node's answers (Ethereum JSON-RPC). */

export const quantityAnswer = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,13}$/)
  .transform((text) => Number.parseInt(text, 16));
/** Seconds since the epoch: a development chain's clock can be set to any of 64 bits. */
export const secondsAnswer = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,16}$/)
  .transform(Number);
export const amountAnswer = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/);
export const hashAnswer = z.string().regex(/^0x[0-9a-fA-F]{64}$/);
/** In lower case. */
export const addressAnswer = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase());
