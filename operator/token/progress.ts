import type { DeploymentStatus } from '../../core/api/resources/tokenResource.ts';
import type { ProgressStore, StepProgress } from '../../core/deploy/progress.ts';
import type { Known, Step } from '../../core/deploy/step.ts';
import { ownSteps } from '../../core/deploy/steps.ts';
import { type Clock, toRfc3339 } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import type { TokenPlan, TokenStandard } from '../../core/tokens/standard.ts';
import { type PlannedDeployment, stepsOn } from './planned.ts';
import { withDeployment } from './status.ts';
import type { UpdateStatus } from './statusWriter.ts';

interface Following {
  planned: readonly PlannedDeployment[];
  steps: readonly Step[];
  standard: TokenStandard;
  plan: TokenPlan;
  tell: UpdateStatus;
  /** Of the token. */
  uid: string;
  clock: Clock;
}

export interface Follower {
  /** The store, telling of each deployment's transaction before its receipt is awaited. */
  watch(store: ProgressStore): ProgressStore;
  /** Tells of a network as soon as its last step is done, however long others take. */
  onDone(step: Step, known: Known): void;
  /** Resolves when all that is to be told is written. Rejects when something was not. */
  settled(): Promise<void>;
}

/** Values that are asked for only to see which step stands for a deployment. */
const nothingKnown: Known = { get: () => '0', find: () => undefined };

export function followProgress(following: Following): Follower {
  const { planned, steps, standard, plan, tell, uid, clock } = following;
  const telling: Promise<void>[] = [];
  const left = new Map(planned.map(({ network }) => [network.id, stepsOn(steps, network.id).length]));
  const standing = new Map(
    planned.map((one): [string, PlannedDeployment] => {
      const { step } = standard.result(plan, one.network, nothingKnown);
      return [`${ownSteps(plan, one.network).scope} ${step.slice(one.network.id.length + 1)}`, one];
    }),
  );
  const found = new Map<string, StepProgress>();
  const toldOf = new Map(planned.map(({ network, status }) => [network.id, status.deploymentTx]));
  const told = (one: PlannedDeployment, change: (present: DeploymentStatus) => DeploymentStatus) =>
    tell(uid, (deployments) => withDeployment(deployments, one.status, change));

  /** The step that stands for a deployment says by which transaction, and where it is. */
  async function note(one: PlannedDeployment, progress: StepProgress): Promise<void> {
    found.set(one.network.id, progress);
    const { hash } = progress;
    // The block comes with what is told next.
    if (!hash || toldOf.get(one.network.id) === hash) return;
    toldOf.set(one.network.id, hash);
    await told(one, (present) => ({ ...present, deploymentTx: hash }));
  }

  return {
    watch: (store) => ({
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
    }),
    onDone({ network }, known) {
      const count = (left.get(network) ?? 0) - 1;
      left.set(network, count);
      const one = planned.find((candidate) => candidate.network.id === network);
      if (count > 0 || !one) return;
      const { tokenAddress, extraAddresses } = standard.result(plan, one.network, known);
      const { hash, block } = found.get(network) ?? {};
      const writing = told(one, ({ message: _, isRepaired: __, ...present }) => ({
        ...present,
        state: 'Deployed',
        tokenAddress,
        ...(Object.keys(extraAddresses).length > 0 ? { extraAddresses } : {}),
        ...compact({ deploymentTx: hash, block }),
        deployedAt: present.deployedAt ?? toRfc3339(clock.nowMs()),
      }));
      writing.catch(() => undefined);
      telling.push(writing);
    },
    settled: async () => void (await Promise.all(telling)),
  };
}
