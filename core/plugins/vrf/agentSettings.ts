import { z } from 'zod';

export const configFile = '/etc/vrf/config.json';
export const keyFiles = { account: '/etc/vrf-keys/account', proving: '/etc/vrf-keys/proving' } as const;

export const settingsSchema = z.object({
  rpcUrl: z.url(),
  chainId: z.string(),
  port: z.number(),
  /** The HTTP of the committee's nodes; none: the requests are answered with proofs. */
  committee: z.array(z.url()),
});
export type AgentSettings = z.infer<typeof settingsSchema>;
