import { z } from 'zod';

/** What may be sent, where and how much. */
export const deliverySettingsSchema = z
  .object({
    /** Whether the URL of a webhook may begin with http://. */
    allowHttp: z.boolean().default(false),
    /** Whether the host of a webhook may have a private or loopback address. */
    allowPrivateAddresses: z.boolean().default(false),
    /** Deliveries of the installation that are sent at a time; a workspace sends at most a sixteenth of them. */
    concurrent: z.int().min(16).max(4096).default(256),
    /** What the queue of a webhook with the log of its deliveries may occupy, in MiB. */
    queueMiB: z.int().min(1).max(64).default(4),
    /** The same for all webhooks of a workspace together. */
    workspaceQueueMiB: z.int().min(1).default(16),
  })
  .prefault({});
export type DeliverySettings = z.infer<typeof deliverySettingsSchema>;
