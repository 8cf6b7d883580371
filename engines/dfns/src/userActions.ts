import { createHash, createPublicKey, type KeyObject, randomBytes, verify } from 'node:crypto';
import { z } from 'zod';
import { type BoundedMap, createBoundedMap } from '../../../core/lib/boundedMap.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { DfnsConfig } from '../../../core/plugins/dfns/config.ts';

/** The request that a signature is for. */
export interface Action {
  payload: string;
  method: string;
  path: string;
}

const initSchema = z.object({
  userActionPayload: z.string(),
  userActionHttpMethod: z.string(),
  userActionHttpPath: z.string(),
  userActionServerKind: z.string().optional(),
});

const assertionSchema = z.object({
  challengeIdentifier: z.string(),
  firstFactor: z.object({
    kind: z.string(),
    credentialAssertion: z.object({ credId: z.string(), clientData: z.string(), signature: z.string() }),
  }),
});

const clientDataSchema = z.object({ type: z.literal('key.get'), challenge: z.string() });

const maxOpen = 10_000;
const limitMs = 5 * 60_000;

/** Between challenge and signature, and between signature and request. */
interface Pending {
  action: string;
  challenge: string;
  endMs: number;
}

export type UserActions = ReturnType<typeof createUserActions>;

/**
 * Signatures of users for what they change: a challenge for one request, signed with the user's credential, gives a token that
 * the same request (payload, method and path) may use once.
 */
export function createUserActions({ credential }: Pick<DfnsConfig, 'credential'>, clock: Clock) {
  const publicKey = createPublicKey(credential.publicKey);
  const challenges = createBoundedMap<string, Pending>(maxOpen);
  const tokens = createBoundedMap<string, Pending>(maxOpen);
  return {
    /** POST /auth/action/init */
    init(body: unknown) {
      const { userActionPayload, userActionHttpMethod, userActionHttpPath } = initSchema.parse(body);
      const action = digestOf({
        payload: userActionPayload,
        method: userActionHttpMethod,
        path: userActionHttpPath,
      });
      const [challenge, challengeIdentifier] = [randomText(), randomText()];
      challenges.set(challengeIdentifier, { action, challenge, endMs: clock.nowMs() + limitMs });
      return {
        supportedCredentialKinds: [{ kind: 'Key', factor: 'first', requiresSecondFactor: false }],
        challenge,
        challengeIdentifier,
        externalAuthenticationUrl: '',
        allowCredentials: { key: [{ type: 'public-key', id: credential.id }], webauthn: [] },
        userVerification: 'required',
      };
    },
    /** POST /auth/action */
    complete(body: unknown) {
      const { challengeIdentifier, firstFactor } = assertionSchema.parse(body);
      const pending = taken(challenges, challengeIdentifier, clock);
      const isSigned = pending && isAssertionOf(firstFactor, { credential, publicKey, pending });
      if (!isSigned) throw new AppError('Unauthorized', 'the signature of the user action is not valid');
      const userAction = randomText();
      tokens.set(userAction, { ...pending, endMs: clock.nowMs() + limitMs });
      return { userAction };
    },
    /** Uses up the token of a request. Throws Forbidden when it is missing, used, or that of another request. */
    use(token: string | undefined, action: Action): void {
      const pending = token === undefined ? undefined : taken(tokens, token, clock);
      if (pending?.action === digestOf(action)) return;
      const text =
        'x-dfns-useraction: sign the action for exactly this payload, method and path; a signature is used once';
      throw new AppError('Forbidden', text);
    },
  };
}

function digestOf({ payload, method, path }: Action): string {
  return createHash('sha256')
    .update(JSON.stringify([method.toUpperCase(), path, payload]))
    .digest('hex');
}

function taken(map: BoundedMap<string, Pending>, name: string, clock: Clock): Pending | undefined {
  const found = map.get(name);
  map.delete(name);
  return found && found.endMs > clock.nowMs() ? found : undefined;
}

type Factor = z.infer<typeof assertionSchema>['firstFactor'];

function isAssertionOf(
  { kind, credentialAssertion: { credId, clientData, signature } }: Factor,
  {
    credential,
    publicKey,
    pending,
  }: Pick<DfnsConfig, 'credential'> & { publicKey: KeyObject; pending: Pending },
): boolean {
  if (kind !== 'Key' || credId !== credential.id) return false;
  const bytes = Buffer.from(clientData, 'base64url');
  const { data } = clientDataSchema.safeParse(jsonOf(bytes));
  return (
    data?.challenge === pending.challenge &&
    verify(null, bytes, publicKey, Buffer.from(signature, 'base64url'))
  );
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function randomText(): string {
  return randomBytes(24).toString('base64url');
}
