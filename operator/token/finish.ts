import type { DeploymentStatus } from '../../core/api/resources/tokenResource.ts';
import type { RunResult, StepOutcome } from '../../core/deploy/runner.ts';
import type { Step } from '../../core/deploy/step.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError } from '../../core/lib/errors.ts';
import { cut } from '../../core/lib/text/foreignText.ts';
import { waitingFor, withVerified } from './connections.ts';
import { type PlannedDeployment, stepsOn } from './planned.ts';
import { withDeployment } from './status.ts';
import type { UpdateStatus } from './statusWriter.ts';

/** The result of a run. */
export interface Finish {
  /** A deployment failed, and cannot succeed without a change. */
  hasFailed: boolean;
}

interface Ended {
  planned: readonly PlannedDeployment[];
  steps: readonly Step[];
  result: RunResult;
  updateStatus: UpdateStatus;
  /** Of the token. */
  uid: string;
  /** Whether its networks are connected. */
  isConnected: boolean;
  /** Reports a deployment that lacks nothing but its connections to others. */
  onUsable(one: PlannedDeployment): Promise<void>;
}

/** `held`: waits for another network, where something failed. */
type Verdict = { state: 'done' } | { state: 'failed' | 'retry' | 'held'; message: string; isOwn: boolean };

/**
 * Reports the networks on which not all steps were taken. Rejects with Unavailable when one of them is worth a retry
 * soon.
 */
export async function finish(ended: Ended): Promise<Finish> {
  const verdicts = ended.planned.map((one) => verdictOf(one, ended));
  await Promise.all(ended.planned.filter((_, index) => isUsable(verdicts[index])).map(ended.onUsable));
  const names = ended.planned.map(({ name }) => name);
  const verified = {
    planned: new Set(names),
    done: new Set(names.filter((_, index) => verdicts[index]?.state === 'done')),
  };
  await ended.updateStatus(ended.uid, (deployments) => {
    const reported = ended.planned.reduce((present, one, index) => {
      const verdict = verdicts[index];
      if (!verdict || verdict.state === 'done') return present;
      return withDeployment(present, one.status, (status) => reportOf(status, verdict, one.isRolledBack));
    }, deployments);
    return ended.isConnected ? withVerified(reported, verified) : reported;
  });
  const retried = verdicts.find(({ state }) => state === 'retry');
  if (retried && 'message' in retried) throw new AppError('Unavailable', retried.message);
  return { hasFailed: verdicts.some(({ state }) => state === 'failed' || state === 'held') };
}

/** One that fails elsewhere does not delay it. */
const isUsable = (verdict: Verdict | undefined): boolean =>
  verdict !== undefined && 'isOwn' in verdict && !verdict.isOwn;

/**
 * A deployed token stays deployed, even if it is not connected to a further network yet: its status says so anyway. What an
 * earlier run found on its own network stays known while it waits for another one.
 */
function reportOf(
  { isRepaired, message: before, ...present }: DeploymentStatus,
  { state, message, isOwn }: Exclude<Verdict, { state: 'done' }>,
  isRolledBack: boolean,
): DeploymentStatus {
  const goesOn = compact({ isRepaired: (state === 'retry' && isRepaired) || undefined });
  if (present.state === 'Deployed') {
    // A repair that has ended does not say what is missing.
    const known = isRepaired && state !== 'retry' ? undefined : before;
    return {
      ...present,
      ...goesOn,
      ...(isRolledBack && present.connected ? { connected: [] } : {}),
      ...compact({ message: isOwn ? message : known }),
    };
  }
  if (state === 'failed') return { ...present, state: 'Error', message };
  return { ...present, state: 'Deploying', message, ...goesOn };
}

function verdictOf({ network }: PlannedDeployment, { planned, steps, result }: Ended): Verdict {
  const own = stepsOn(steps, network.id).map((step) => result.outcomes.get(`${step.network}/${step.name}`));
  const say = (text: string) => cut(withNames(text, planned), 1000);
  const failed = own.find(isFailed);
  if (failed) return { state: 'failed', message: say(failed.message), isOwn: true };
  const retried = own.find(isRetried);
  if (retried) return { state: 'retry', message: say(retried.message), isOwn: true };
  const blocked = own.find((outcome) => outcome?.state === 'blocked');
  if (!blocked || !('by' in blocked)) return { state: 'done' };
  const [other = ''] = blocked.by.split('/');
  const isHeld = stepsOn(steps, other).some((step) =>
    isFailed(result.outcomes.get(`${step.network}/${step.name}`)),
  );
  const message = say(waitingFor([other]));
  return { state: isHeld ? 'held' : 'retry', message, isOwn: false };
}

type Reported<State> = Extract<StepOutcome, { message: string }> & { state: State };

const isFailed = (outcome: StepOutcome | undefined): outcome is Reported<'failed'> =>
  outcome?.state === 'failed';
const isRetried = (outcome: StepOutcome | undefined): outcome is Reported<'retry'> =>
  outcome?.state === 'retry';

/** Messages use the names of networks. */
function withNames(text: string, planned: readonly PlannedDeployment[]): string {
  return planned.reduce((message, { network, name }) => message.replaceAll(network.id, name), text);
}
