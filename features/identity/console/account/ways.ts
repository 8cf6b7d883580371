import type { QueryClient } from '@tanstack/react-query';
import type { Client } from '../../../../sdk/src/client.ts';
import type { Passkey, Password, SignInOptions } from '../../../../sdk/src/generated/types.ts';

/** How the user can sign in. */
export interface Ways {
  options: SignInOptions;
  passkeys: readonly Passkey[];
  password: Password;
}

export async function readWays(client: Client, signal: AbortSignal): Promise<Ways> {
  const [options, password, passkeys] = await Promise.all([
    client.signIn.getOptions({ signal }),
    client.account.getPassword({ signal }),
    client.passkeys.list({}, { signal }),
  ]);
  return { options, password, passkeys: passkeys.items };
}

/** After a change of the ways; it may have ended sessions. */
export async function refreshWays(queries: QueryClient): Promise<void> {
  await Promise.all(
    ['ways', 'sessions', 'firstKey'].map((key) => queries.invalidateQueries({ queryKey: [key] })),
  );
}
