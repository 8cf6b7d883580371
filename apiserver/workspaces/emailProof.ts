import type { EmailProof } from '../../core/api/resources/accountResources.ts';
import { userType } from '../../core/api/resources/resources.ts';
import { AppError } from '../../core/lib/errors.ts';
import { addressOf, isSameEmail } from '../../core/lib/text/email.ts';
import { updateLive } from '../store/updateLive.ts';
import type { WorkspaceDeps } from './deps.ts';

interface Proven {
  email: string;
  emailProof: EmailProof;
}

/** Notes that a user owns the address of the account. Nothing changes if the account states another address, or none. */
export async function proveEmail(
  { kube, namespace }: WorkspaceDeps,
  userId: string,
  { email, emailProof }: Proven,
): Promise<void> {
  const absent = () => new AppError('NotFound', 'the account is gone: ask for a new invitation');
  await updateLive(kube, { type: userType, namespace, name: userId, absent }, (current) => {
    const { spec } = current;
    if (spec.emailProof || !isSameEmail(spec.email, email)) return current;
    // Proven addresses are found in this form.
    return { ...current, spec: { ...spec, email: addressOf(email), emailProof } };
  });
}
