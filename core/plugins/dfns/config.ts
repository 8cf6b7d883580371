import { z } from 'zod';

/** The configuration of the plugin's server: the file that the plan mounts. Secrets are in files of their own. */
export const dfnsConfigSchema = z.object({
  port: z.int().min(0),
  /** The file of the database; its folder is the volume. */
  database: z.string(),
  /** In decimal. Nothing is signed for another chain. */
  chainId: z.string(),
  rpcUrl: z.url(),
  /** The names that Dfns has for this chain and its test networks. */
  networks: z.array(z.string()).min(1),
  /** Of the native coin. */
  symbol: z.string(),
  organisation: z.string(),
  user: z.string(),
  /** The user's key for signing actions: its id, and the public key as PEM. */
  credential: z.object({ id: z.string(), publicKey: z.string() }),
  /** Files with 32 bytes in hexadecimal: what wallets' keys derive from, and the authentication token. */
  secrets: z.object({ keys: z.string(), token: z.string() }),
});
export type DfnsConfig = z.infer<typeof dfnsConfigSchema>;
