import type { DeploymentStatus } from '../../core/api/resources/tokenResource.ts';
import { type Anchor, newestOf } from '../../core/deploy/anchor.ts';
import type { ProgressStore, StepProgress } from '../../core/deploy/progress.ts';
import type { Known, Step } from '../../core/deploy/step.ts';
import { ownSteps } from '../../core/deploy/steps.ts';
import { type Clock, toRfc3339 } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import type { TokenPlan, TokenStandard } from '../../core/tokens/standard.ts';
import { connectionsBefore } from './connections.ts';
import { type PlannedDeployment, stepsOn } from './planned.ts';
import { withDeployment } from './status.ts';
import type { UpdateStatus } from './statusWriter.ts';

interface Following {
  planned: readonly PlannedDeployment[];
  steps: readonly Step[];
  standard: TokenStandard;
  plan: TokenPlan;
  updateStatus: UpdateStatus;
  /** Of the token. */
  uid: string;
  clock: Clock;
}

export interface Follower {
  /** The store, which reports the transaction of each deployment that is not done at once. */
  watch(store: ProgressStore): ProgressStore;
  /** Reports a network as soon as its last step is done, however long others take. */
  onDone(step: Step, known: Known, anchor: Anchor | undefined): void;
  /** Reports a network on which all is done but what waits for other networks. */
  onUsable(one: PlannedDeployment, known: Known): Promise<void>;
  /** Resolves when everything is written. Rejects when a write failed. */
  settled(): Promise<void>;
}

/** Placeholder values that only serve to see which step stands for a deployment. */
const nothingKnown: Known = { get: () => '0', find: () => undefined };

export function followProgress(following: Following): Follower {
  const { planned, steps } = following;
  const writes: Promise<void>[] = [];
  const left = new Map(planned.map(({ network }) => [network.id, stepsOn(steps, network.id).length]));
  const anchors = new Map<string, Anchor | undefined>();
  const transactions = followTransactions(following, ({ network }) => left.get(network.id) === 1);
  const reportOne = (one: PlannedDeployment, known: Known) =>
    reportDeployed(following, one, {
      known,
      transaction: transactions.of(one),
      anchor: anchors.get(one.network.id),
    });
  return {
    watch: (store) => watchSteps(store, standingSteps(following), transactions.note),
    onDone({ network }, known, anchor) {
      anchors.set(network, newestOf([anchors.get(network), anchor]));
      const count = (left.get(network) ?? 0) - 1;
      left.set(network, count);
      const one = planned.find((candidate) => candidate.network.id === network);
      if (count > 0 || !one) return;
      const write = reportOne(one, known);
      // Whoever awaits all of them gets the error.
      write.catch(() => undefined);
      writes.push(write);
    },
    onUsable: async (one, known) => {
      if (one.status.state !== 'Deployed' || one.isRolledBack) await reportOne(one, known);
    },
    settled: async () => void (await Promise.all(writes)),
  };
}

type Note = (one: PlannedDeployment, progress: StepProgress) => Promise<void>;

/** The step that stands for each deployment, as `scope step`. */
function standingSteps({ planned, standard, plan }: Following): Map<string, PlannedDeployment> {
  return new Map(
    planned.map((one) => {
      const { step } = standard.result(plan, one.network, nothingKnown);
      return [`${ownSteps(plan, one.network).scope} ${step.slice(one.network.id.length + 1)}`, one];
    }),
  );
}

function watchSteps(
  store: ProgressStore,
  standing: ReadonlyMap<string, PlannedDeployment>,
  note: Note,
): ProgressStore {
  return {
    async load(scope) {
      const all = await store.load(scope);
      for (const [key, one] of standing) {
        const [itsScope, name = ''] = key.split(' ');
        const progress = itsScope === scope ? all[name] : undefined;
        if (progress) await note(one, progress);
      }
      return all;
    },
    async save(scope, step, progress) {
      const one = standing.get(`${scope} ${step}`);
      await Promise.all([store.save(scope, step, progress), one && note(one, progress)]);
    },
  };
}

/** The transaction of each deployment and its block: known before the deployment is done. */
function followTransactions(following: Following, isLastStep: (one: PlannedDeployment) => boolean) {
  const found = new Map<string, StepProgress>();
  const reported = new Map(following.planned.map(({ network, status }) => [network.id, status.deploymentTx]));
  return {
    of: ({ network }: PlannedDeployment): Partial<StepProgress> => found.get(network.id) ?? {},
    async note(one: PlannedDeployment, progress: StepProgress): Promise<void> {
      const { id } = one.network;
      found.set(id, progress);
      const { hash, state } = progress;
      // The block comes with the next write, and so does what ends the deployment.
      const isReportedNext = state === 'mined' && isLastStep(one);
      if (!hash || reported.get(id) === hash || isReportedNext) return;
      reported.set(id, hash);
      await report(following, one, (present) => ({ ...present, deploymentTx: hash }));
    },
  };
}

function report(
  { updateStatus, uid }: Following,
  one: PlannedDeployment,
  change: (present: DeploymentStatus, all: readonly DeploymentStatus[]) => DeploymentStatus,
): Promise<void> {
  return updateStatus(uid, (deployments) =>
    withDeployment(deployments, one.status, (present) => change(present, deployments)),
  );
}

interface Deployed {
  known: Known;
  transaction: Partial<StepProgress>;
  /** The newest block with a transaction of a step; undefined when everything was there before. */
  anchor: Anchor | undefined;
}

/** The run may have had nothing to ask about networks that are away: while the chain has the former anchor, that one stands for them. */
function reportDeployed(
  following: Following,
  one: PlannedDeployment,
  { known, transaction, anchor }: Deployed,
) {
  const { standard, plan, clock } = following;
  const { isRolledBack } = one;
  const { tokenAddress, extraAddresses } = standard.result(plan, one.network, known);
  const { hash, block } = transaction;
  return report(following, one, (before, all) => {
    const { message: _, isRepaired: __, anchor: former, ...present } = before;
    const connected = standard.isConnected ? connectionsBefore(before, all, isRolledBack) : undefined;
    return {
      ...present,
      ...compact({ anchor: newestOf([isRolledBack ? undefined : former, anchor]), connected }),
      state: 'Deployed',
      tokenAddress,
      ...(Object.keys(extraAddresses).length > 0 ? { extraAddresses } : {}),
      ...compact({ deploymentTx: hash, block }),
      deployedAt: present.deployedAt ?? toRfc3339(clock.nowMs()),
    };
  });
}
