import { isBoundToOwner, isSealed, type Sealer, type SecretLocation } from '../core/accounts/seal.ts';
import { decodeSecretData, warningAboutSecret } from '../core/accounts/secretData.ts';
import { labels } from '../core/api/names.ts';
import { compact } from '../core/lib/compact.ts';
import { AppError, isAppError } from '../core/lib/errors.ts';
import { scrubLastApplied } from './lastApplied.ts';
import { checkOwnership } from './ownership.ts';
import type { AdmissionRequest, PatchStep, ReviewedObject, Verdict } from './review.ts';

export interface SecretReviewDeps {
  sealer: Sealer;
  /** The namespace of Slipway's own service accounts. */
  serviceNamespace: string;
}

/**
 * Decides on a Secret of slipway.dev that is about to be stored: nobody but Slipway sets its owner, its data is
 * validated and sealed for that owner, and no plain copy of it stays in kubectl's annotation. Whoever deletes one is
 * warned. Has no side effects, so it also serves dry runs.
 */
export function reviewSecret(request: AdmissionRequest, deps: SecretReviewDeps): Verdict {
  const { object, operation } = request;
  if (operation === 'DELETE') return { patch: [], warning: deletionWarning };
  if (!object || (operation !== 'CREATE' && operation !== 'UPDATE')) return { patch: [] };
  try {
    checkOwnership(request, { ...deps, isProven: () => isSealedForOwner(request, object, deps.sealer) });
    const { patch, warning } = sealData(request, object, deps.sealer);
    return { patch: [...patch, ...scrubLastApplied(object)], ...compact({ warning }) };
  } catch (error) {
    if (isAppError(error)) return { refusal: error };
    throw error;
  }
}

/** This process reads no networks: only whoever deletes the secret can look. */
const deletionWarning =
  'networks whose privateKeyRef or mnemonicRef names this secret go on running, but cannot start again without it: ' +
  'see the reason SecretMissing in kubectl get bnet, and create it again with the same data';

function isSealedForOwner(request: AdmissionRequest, object: ReviewedObject, sealer: Sealer): boolean {
  const data = object.spec?.data;
  if (typeof data !== 'string' || !isSealed(data) || !isBoundToOwner(data)) return false;
  return tryUnseal(data, placeOf(request, object), sealer) !== undefined;
}

interface Sealing {
  patch: PatchStep[];
  warning?: string | undefined;
}

function sealData(request: AdmissionRequest, object: ReviewedObject, sealer: Sealer): Sealing {
  const type = object.spec?.type;
  const data = object.spec?.data;
  // The schema of the resource rejects these later.
  if (typeof type !== 'string' || typeof data !== 'string') return { patch: [] };
  const place = placeOf(request, object);
  try {
    const plain = isSealed(data) ? openSealed(data, place, sealer).toString('base64') : data;
    const bytes = decodeSecretData(plain, 'spec.data');
    const warning = warningAboutSecret(type, bytes);
    if (isSealed(data) && isBoundToOwner(data)) return { patch: [], warning };
    const kept = sameSealed(request.oldObject?.spec?.data, { bytes, place, sealer });
    const value = kept ?? sealer.seal(bytes, place);
    return { patch: [{ op: 'replace', path: '/spec/data', value }], warning };
  } catch (error) {
    // An object that is already stored must stay writable, for example its annotations and finalizers.
    if (isUnchanged(request)) return { patch: [] };
    throw error;
  }
}

function isUnchanged({ object, oldObject }: AdmissionRequest): boolean {
  const { spec, metadata } = object ?? {};
  const { spec: oldSpec, metadata: oldMetadata } = oldObject ?? {};
  const isSameOwner = metadata?.labels?.[labels.owner] === oldMetadata?.labels?.[labels.owner];
  return isSameOwner && spec?.data === oldSpec?.data && spec?.type === oldSpec?.type;
}

/** Name and owner of a secret are part of what is sealed, so the secret needs a name before it is stored. */
function placeOf(request: AdmissionRequest, object: ReviewedObject): SecretLocation {
  const name = request.name || object.metadata?.name;
  const owner = object.metadata?.labels?.[labels.owner] ?? '';
  if (name) return { namespace: request.namespace, name, owner };
  throw new AppError('BadRequest', 'metadata.name is required: a secret cannot use metadata.generateName');
}

/** The bytes of a sealed text. Throws BadRequest unless it was sealed for this owner, name and namespace. */
function openSealed(data: string, place: SecretLocation, sealer: Sealer): Buffer {
  const bytes = tryUnseal(data, place, sealer);
  if (bytes) return bytes;
  const message =
    'is sealed for another owner, name or namespace, or by another installation: send the base64 of the raw secret bytes';
  throw new AppError('BadRequest', `spec.data ${message}`, { details: [{ path: 'spec.data', message }] });
}

/** The stored sealed text if it holds the same bytes, so that applying the same manifest again changes nothing. */
function sameSealed(
  stored: unknown,
  { bytes, place, sealer }: { bytes: Buffer; place: SecretLocation; sealer: Sealer },
): string | undefined {
  if (typeof stored !== 'string' || !isSealed(stored) || !isBoundToOwner(stored)) return undefined;
  return tryUnseal(stored, place, sealer)?.equals(bytes) ? stored : undefined;
}

function tryUnseal(data: string, place: SecretLocation, sealer: Sealer): Buffer | undefined {
  try {
    return sealer.unseal(data, place);
  } catch {
    return undefined;
  }
}
