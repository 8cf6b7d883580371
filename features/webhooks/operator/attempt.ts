import { toRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { AppError, isAppError } from '../../../core/lib/errors.ts';
import { redact } from '../../../core/lib/redact.ts';
import { cut } from '../../../core/lib/text/foreignText.ts';
import { withoutUrl } from '../../../core/lib/text/withoutTexts.ts';
import { type DeliveryAttempt, maxLoggedText } from '../api/batch.ts';
import { signatureHeaders } from '../core/signature.ts';
import { openSigningKeys } from '../core/signingSecrets.ts';
import { refuseTarget } from '../core/target.ts';
import type { Webhook, WebhookDeps } from './deps.ts';
import type { Answer } from './post.ts';
import { askedDelayMs } from './retry.ts';

/** How an attempt ended. */
export interface Outcome {
  isDelivered: boolean;
  /** The receiver wants nothing more (410). */
  isGone: boolean;
  /** How long the receiver asks to be left alone. */
  askedMs: number;
  entry: DeliveryAttempt;
}

type Deps = Pick<WebhookDeps, 'caches' | 'sealer' | 'deliveries' | 'post' | 'clock'>;

/** Sends one event once: with a fresh time, signed with the keys of the webhook at that time. Never rejects. */
export async function attempt(
  deps: Deps,
  webhook: Webhook,
  { id, body }: { id: string; body: string },
): Promise<Outcome> {
  const startMs = deps.clock.nowMs();
  const failed = (error: string, answer?: Answer): Outcome => ({
    isDelivered: false,
    isGone: answer?.status === 410,
    askedMs: answer ? askedDelayMs(answer, deps.clock.nowMs()) : 0,
    entry: { ...entryOf(answer), error: scrub(error, webhook) },
  });
  const entryOf = (answer?: Answer): DeliveryAttempt => ({
    at: toRfc3339(startMs),
    durationMs: Math.max(0, Math.round(deps.clock.nowMs() - startMs)),
    ...compact({ status: answer?.status, response: scrub(answer?.text ?? '', webhook) || undefined }),
  });
  try {
    const answer = await deps.post(sign(deps, webhook, { id, body, timestamp: Math.floor(startMs / 1000) }));
    const refusal = refusalOf(answer);
    if (refusal !== undefined) return failed(refusal, answer);
    return { isDelivered: true, isGone: false, askedMs: 0, entry: entryOf(answer) };
  } catch (error) {
    return failed(whyNoAnswer(error));
  }
}

function sign(
  { caches, sealer, deliveries, clock }: Deps,
  webhook: Webhook,
  content: { id: string; body: string; timestamp: number },
) {
  const { url } = webhook.spec;
  const refusal = refuseTarget(url, deliveries);
  if (refusal !== undefined) throw new AppError('Forbidden', `its URL ${refusal}`);
  const { namespace } = webhook.metadata;
  const find = (name: string) => caches.secrets.get({ namespace, name });
  const keys = openSigningKeys(sealer, webhook, { find, nowMs: clock.nowMs() });
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'slipway-webhooks',
    ...signatureHeaders(keys, content),
  };
  for (const key of keys) key.fill(0);
  return { url, headers, body: content.body };
}

function refusalOf({ status }: Answer): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) return `the receiver answered ${status}: redirects are not followed`;
  return `the receiver answered ${status}`;
}

/** A message would name the host and address, which only the owner of the URL should know. */
function whyNoAnswer(error: unknown): string {
  if (isAppError(error)) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return `no answer: ${typeof code === 'string' ? code : 'the connection failed'}`;
}

/** Text of a receiver without control characters, the URL of the webhook, and what looks like a credential. */
function scrub(text: string, { spec: { url } }: Webhook): string {
  const printable = cut(text)
    .replace(/[^\P{C}\n\t]/gu, '')
    .trim();
  return cut(redact(withoutUrl(printable, url, '[url]')), maxLoggedText);
}
