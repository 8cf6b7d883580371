import type {
  InvitationDelivery,
  InvitationResource,
} from '../../../../core/api/resources/accountResources.ts';
import { invitationType } from '../../../../core/api/resources/resources.ts';
import { createReflector, type ReflectorOptions } from '../../../../core/kube/cache/reflector.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import type { KubeMetrics } from '../../../../core/kube/metrics.ts';
import { type Clock, toRfc3339 } from '../../../../core/lib/clock.ts';
import { compact } from '../../../../core/lib/compact.ts';
import { messageOf } from '../../../../core/lib/errors.ts';
import type { Log } from '../../../../core/lib/log.ts';
import { createBell } from '../../../../core/lib/work/bell.ts';
import { type Background, createBackground } from '../../../background.ts';
import { notFound } from '../../../store/find.ts';
import type { Store } from '../../../store/kubeErrors.ts';
import { updateLive } from '../../../store/updateLive.ts';
import { dueAtMs, maxAttempts } from './due.ts';
import type { Mail, Mailer } from './mailer.ts';

/** Mails at a time. */
const atATime = 4;
/** Another look even if nothing was heard. */
const intervalMs = 60_000;

export interface DeliveriesOptions {
  kube: Store & ReflectorOptions<never>['kube'];
  namespace: string;
  mailer: Mailer;
  /** The mail of an invitation; undefined if there is nothing to invite to any more. */
  compose(invitation: Stored<InvitationResource>): Promise<Mail | undefined>;
  clock: Clock;
  log: Log;
  kubeMetrics?: KubeMetrics | undefined;
}

/**
 * Mails invitations, in the background. What is to be mailed is what the invitations say: a replica writes that it sends,
 * sends, and writes what came of it. If it dies in between, another one sends again after a while: at least once.
 */
export function createDeliveries(options: DeliveriesOptions): Background {
  const { clock, kube, log, namespace, kubeMetrics } = options;
  const invitations = createReflector({
    kube,
    log,
    clock,
    namespace,
    ...compact({ kubeMetrics }),
    type: invitationType,
  });
  const background = createBackground((signal) => run(signal));

  async function run(signal: AbortSignal): Promise<void> {
    const bell = createBell(clock, signal);
    invitations.onChange(bell.ring);
    await invitations.whenSynced().catch(() => undefined);
    while (!signal.aborted) {
      const nowMs = clock.nowMs();
      const waiting = invitations.list().map((one) => [one, dueAtMs(one, nowMs)] as const);
      const due = waiting.filter(([, atMs]) => atMs <= nowMs).slice(0, atATime);
      await Promise.all(
        due.map(([one]) => deliverOne(options, one, { observe: invitations.observe, signal })),
      );
      const nextMs = Math.min(...waiting.map(([, atMs]) => atMs), nowMs + intervalMs);
      if (due.length === 0) await bell.wait(Math.max(nextMs - nowMs, 1));
    }
  }

  return {
    start() {
      invitations.start();
      background.start();
    },
    async stop() {
      await Promise.all([invitations.stop(), background.stop()]);
    },
    whenSynced: background.whenSynced,
  };
}

interface Process {
  /** Takes over what was written, so that this replica does not do it again. */
  observe(invitation: Stored<InvitationResource>): void;
  signal: AbortSignal;
}
type Observe = Process['observe'];

async function deliverOne(
  options: DeliveriesOptions,
  invitation: Stored<InvitationResource>,
  { observe, signal }: Process,
): Promise<void> {
  const { log, clock } = options;
  try {
    const claimed = await claim(options, invitation, observe);
    if (!claimed) return;
    const mail = await options.compose(claimed);
    const outcome = mail ? await options.mailer.send(mail) : undefined;
    await note(options, claimed, { outcome, observe });
  } catch (error) {
    log.warn('cannot mail an invitation; will retry', { reason: messageOf(error) });
    // The cluster did not answer: not at once again.
    await clock.sleep(1000, signal).catch(() => undefined);
  }
}

/** Undefined if it is no longer due, as when another replica was faster. */
async function claim(
  options: DeliveriesOptions,
  { metadata }: Stored<InvitationResource>,
  observe: Observe,
): Promise<Stored<InvitationResource> | undefined> {
  const { kube, namespace, clock } = options;
  let isClaimed = false;
  const target = { type: invitationType, namespace, name: metadata.name, subresource: 'status' } as const;
  const absent = () => notFound('Invitation');
  const live = await updateLive(kube, { ...target, absent }, (current) => {
    const nowMs = clock.nowMs();
    isClaimed = dueAtMs(current, nowMs) <= nowMs;
    if (!isClaimed) return current;
    const { attempts = 0, resends } = current.status?.delivery ?? {};
    const updatedAt = toRfc3339(nowMs);
    const delivery: InvitationDelivery = {
      state: 'Sending',
      attempts: attempts + 1,
      updatedAt,
      ...compact({ resends }),
    };
    return { ...current, status: { ...current.status, delivery } };
  });
  observe(live);
  return isClaimed ? live : undefined;
}

type Outcome = Awaited<ReturnType<Mailer['send']>>;

async function note(
  { kube, namespace, clock, log }: DeliveriesOptions,
  { metadata, status }: Stored<InvitationResource>,
  { outcome, observe }: { outcome: Outcome | undefined; observe: Observe },
): Promise<void> {
  const { attempts = 1, resends, updatedAt: begunAt } = status?.delivery ?? {};
  const updatedAt = toRfc3339(clock.nowMs());
  const delivery = { ...stateAfter(outcome, attempts), attempts, updatedAt, ...compact({ resends }) };
  const target = { type: invitationType, namespace, name: metadata.name, subresource: 'status' } as const;
  const absent = () => notFound('Invitation');
  const live = await updateLive(kube, { ...target, absent }, (current) => {
    const { state, attempts: known, updatedAt: knownAt } = current.status?.delivery ?? {};
    // Another replica took this one for dead: what came of its own attempt counts, and what a member asked for since.
    if (state !== 'Sending' || known !== attempts || knownAt !== begunAt) return current;
    return { ...current, status: { ...current.status, delivery } };
  });
  observe(live);
  if (delivery.state !== 'Sent')
    log.warn('an invitation was not mailed', { invitation: metadata.name, ...delivery });
}

function stateAfter(
  outcome: Outcome | undefined,
  attempts: number,
): Pick<InvitationDelivery, 'state' | 'error'> {
  if (!outcome) return { state: 'Failed', error: 'there is no such workspace any more' };
  if (outcome.isSent) return { state: 'Sent' };
  const { isPermanent, error } = outcome;
  return { state: isPermanent || attempts >= maxAttempts ? 'Failed' : 'Retrying', error };
}
