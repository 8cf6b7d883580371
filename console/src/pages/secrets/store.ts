import type { Client } from '../../../../sdk/src/client.ts';
import { isSlipwayError } from '../../../../sdk/src/error.ts';
import type { Secret, SecretInput } from '../../../../sdk/src/generated/types.ts';

interface Storing {
  body: SecretInput;
  replaced: Secret | undefined;
  /** Called when the replaced secret is gone, whatever becomes of the new one. */
  onDeleted: () => void;
}

/** The name is free only when the present secret is gone; after an attempt that was refused, it is gone already. */
export async function store(
  client: Pick<Client, 'secrets'>,
  { body, replaced, onDeleted }: Storing,
): Promise<void> {
  if (replaced) {
    await client.secrets.delete(replaced.id).catch((error: unknown) => {
      if (!isSlipwayError(error, 'NotFound')) throw error;
    });
    onDeleted();
  }
  await client.secrets.create(body);
}
