import { z } from 'zod';
import { nameSchema, queryNumber } from '../common.ts';

/** Body of POST .../rotate-keys. */
export const rotateKeysSchema = z
  .strictObject({
    keys: z
      .array(z.enum(['public', 'admin']))
      .min(1)
      .max(2)
      .optional()
      .describe('The access keys to replace; both when absent.'),
  })
  .describe('The access keys to replace.');

/** Query of GET .../logs. */
export const logQuerySchema = z.strictObject({
  service: nameSchema
    .optional()
    .describe('The part of the network, such as el-1 or cl-1; optional if it has only one.'),
  follow: z.enum(['true', 'false']).optional().describe('Whether the response continues with new lines.'),
  tail: queryNumber({ min: 0, max: 10_000 })
    .optional()
    .describe('How many of the last lines; 1000 when absent.'),
});
