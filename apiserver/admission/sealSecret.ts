import { isSealed, type Sealer, type SecretLocation } from '../../core/accounts/seal.ts';
import { decodeSecretData } from '../../core/accounts/secretData.ts';
import { AppError, isAppError } from '../../core/lib/errors.ts';
import { scrubLastApplied } from './lastApplied.ts';
import type { AdmissionRequest, PatchStep, ReviewedObject, Verdict } from './review.ts';

/**
 * Decides on a Secret of slipway.dev that is about to be stored: its data is validated and sealed, and no plain copy
 * of it stays in kubectl's annotation. Has no side effects, so it also serves dry runs.
 */
export function reviewSecret(request: AdmissionRequest, sealer: Sealer): Verdict {
  const { object, operation } = request;
  if (!object || (operation !== 'CREATE' && operation !== 'UPDATE')) return { patch: [] };
  try {
    return { patch: [...sealData(request, object, sealer), ...scrubLastApplied(object)] };
  } catch (error) {
    if (isAppError(error)) return { refusal: error };
    throw error;
  }
}

function sealData(request: AdmissionRequest, object: ReviewedObject, sealer: Sealer): PatchStep[] {
  const type = object.spec?.type;
  const data = object.spec?.data;
  // The schema of the resource rejects these later.
  if (typeof type !== 'string' || typeof data !== 'string') return [];
  const old = request.oldObject?.spec;
  const isUnchanged = old?.data === data && old.type === type;
  const place = placeOf(request, object);
  if (isSealed(data)) {
    // An object that is already stored must stay writable, for example its labels and finalizers.
    if (!isUnchanged) checkSealed(data, { type, place, sealer });
    return [];
  }
  try {
    const bytes = decodeSecretData(type, data, 'spec.data');
    const kept = sameSealed(old?.data, { bytes, place, sealer });
    return [{ op: 'replace', path: '/spec/data', value: kept ?? sealer.seal(bytes, place) }];
  } catch (error) {
    if (isUnchanged) return [];
    throw error;
  }
}

/** The name of a secret is part of what is sealed, so the secret needs one before it is stored. */
function placeOf(request: AdmissionRequest, object: ReviewedObject): SecretLocation {
  const name = request.name || object.metadata?.name;
  if (name) return { namespace: request.namespace, name };
  throw new AppError('BadRequest', 'metadata.name is required: a secret cannot use metadata.generateName');
}

/** Throws BadRequest unless the text was sealed for this name and namespace and holds what its type allows. */
function checkSealed(data: string, context: { type: string; place: SecretLocation; sealer: Sealer }): void {
  const { type, place, sealer } = context;
  let bytes: Buffer;
  try {
    bytes = sealer.unseal(data, place);
  } catch {
    const message =
      'is sealed for another name or namespace, or by another installation: send the base64 of the raw secret bytes';
    throw new AppError('BadRequest', `spec.data ${message}`, { details: [{ path: 'spec.data', message }] });
  }
  decodeSecretData(type, bytes.toString('base64'), 'spec.data');
}

/** The stored sealed text if it holds the same bytes, so that applying the same manifest again changes nothing. */
function sameSealed(
  stored: unknown,
  { bytes, place, sealer }: { bytes: Buffer; place: SecretLocation; sealer: Sealer },
): string | undefined {
  if (typeof stored !== 'string' || !isSealed(stored)) return undefined;
  try {
    return sealer.unseal(stored, place).equals(bytes) ? stored : undefined;
  } catch {
    return undefined;
  }
}
