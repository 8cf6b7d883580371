import { z } from 'zod';
import type { Sealer } from '../../../../core/accounts/seal.ts';
import type { Clock } from '../../../../core/lib/clock.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { hashOf } from '../../../../core/lib/hash.ts';

const lifetimeMs = 600_000;
/** Attempts that a browser may have open: each is a cookie, and a request's headers are limited. */
const maxOpen = 5;

const attemptSchema = z.object({
  provider: z.string(),
  secrets: z.object({ state: z.string(), nonce: z.string(), verifier: z.string() }),
  expiresMs: z.number(),
  /** The user who links an account at the provider; absent for a sign-in. */
  userId: z.string().optional(),
  /** Token of the invitation to accept. */
  invitation: z.string().optional(),
  /** The page of the console to return to. */
  next: z.string().optional(),
});
/** What is remembered of a sign-in while the browser is at the provider. */
export type Attempt = z.infer<typeof attemptSchema>;

/** Each attempt is a sealed cookie of its own, so that several tabs do not disturb one another. */
export interface OidcAttempts {
  /** Values of Set-Cookie. `cookies`: those of the request. */
  keep(attempt: Omit<Attempt, 'expiresMs'>, cookies: string | undefined): string[];
  /** The attempt that this state belongs to. Throws Unauthorized unless this browser began it in the last ten minutes. */
  open(state: string, cookies: string | undefined): Attempt;
  /** The value of Set-Cookie that removes it. */
  remove(state: string): string;
}

interface AttemptsOptions {
  sealer: Sealer;
  clock: Clock;
  namespace: string;
  publicUrl: string;
}

export function createOidcAttempts({ sealer, clock, namespace, publicUrl }: AttemptsOptions): OidcAttempts {
  const isSecure = publicUrl.startsWith('https:');
  const prefix = `${isSecure ? '__Host-' : ''}slipway-oidc-`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const nameOf = (state: string) => `${prefix}${hashOf(['oidc state', state]).slice(0, 16)}`;
  const placeOf = (name: string) => ({ namespace, name, owner: '' });
  const drop = (name: string) => `${name}=; Max-Age=0; ${attributes}`;

  return {
    keep(attempt, cookies) {
      const name = nameOf(attempt.secrets.state);
      const text = JSON.stringify({ ...attempt, expiresMs: clock.nowMs() + lifetimeMs });
      const sealed = sealer.seal(Buffer.from(text), placeOf(name));
      // The browser sends the oldest first.
      const surplus = namesIn(cookies, prefix).slice(0, -(maxOpen - 1));
      return [`${name}=${sealed}; Max-Age=${lifetimeMs / 1000}; ${attributes}`, ...surplus.map(drop)];
    },
    open(state, cookies) {
      const name = nameOf(state);
      const attempt = read(sealer, placeOf(name), cookieValue(cookies, name));
      if (attempt && attempt.secrets.state === state && clock.nowMs() < attempt.expiresMs) return attempt;
      throw notBegun();
    },
    remove: (state) => drop(nameOf(state)),
  };
}

export function notBegun(): AppError {
  return new AppError(
    'Unauthorized',
    'this sign-in was not begun in this browser within the last ten minutes, or is done: start again',
  );
}

function read(sealer: Sealer, place: Parameters<Sealer['unseal']>[1], value: string | undefined) {
  if (value === undefined) return undefined;
  try {
    return attemptSchema.parse(JSON.parse(sealer.unseal(value, place).toString('utf8')));
  } catch {
    return undefined;
  }
}

function pairsOf(cookies = ''): [name: string, value: string][] {
  return cookies.split(';').map((pair) => {
    const [name = '', ...value] = pair.trim().split('=');
    return [name, value.join('=')];
  });
}

const namesIn = (cookies: string | undefined, prefix: string) =>
  pairsOf(cookies)
    .map(([name]) => name)
    .filter((name) => name.startsWith(prefix));

const cookieValue = (cookies: string | undefined, wanted: string) =>
  pairsOf(cookies).find(([name]) => name === wanted)?.[1];
