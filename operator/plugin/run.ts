import { idOf } from '../../core/api/ids.ts';
import { type Anchor, newestOf } from '../../core/deploy/anchor.ts';
import { runSteps, summarise } from '../../core/deploy/runner.ts';
import type { Known } from '../../core/deploy/step.ts';
import { compact } from '../../core/lib/compact.ts';
import type { PlannedPlugin } from '../../core/plugins/extendPlan.ts';
import type { PluginReport, PluginStepsInput } from '../../core/plugins/plugin.ts';
import type { PluginCase, PluginDeps } from './deps.ts';
import { usedBy } from './readiness.ts';
import { runnable } from './services.ts';

/** The result of a run of a plugin's steps. */
export type RunEnd =
  | { state: 'done'; report: PluginReport; anchor: Anchor | undefined }
  /** `retry` may succeed by itself soon, `failed` only when something changes. */
  | { state: 'retry' | 'failed'; message: string };

interface Run {
  one: PluginCase;
  planned: PlannedPlugin;
  deployment: string;
  signal: AbortSignal;
}

/**
 * Takes the steps of a plugin that are not done yet, with the service's own account of the workspace. What a step has sent
 * is in a journal, so a run may be interrupted anywhere.
 */
export async function runPlugin(
  deps: PluginDeps,
  { one, planned, deployment, signal }: Run,
): Promise<RunEnd> {
  const { namespace } = one.network.metadata;
  const id = idOf(one.network);
  const { plugin } = planned;
  const service = deps.signers.serviceOf(namespace);
  const input: PluginStepsInput = {
    ...planned.input,
    network: { id, incarnation: deployment },
    accounts: { deployer: service.address, service: service.address },
    contracts: deps.contracts,
    reports: reportsOf(one, planned),
  };
  const steps = (plugin.steps?.(input) ?? []).map((step) => runnable(step, deps.callService));
  const enclaveID = one.network.status?.enclaveID ?? '';
  // A persistent network goes on under another enclaveID: what was sent before counts.
  const access = { namespace, enclaveID, isOlder: true, signers: { deployer: service, service }, signal };
  const result = await runSteps({
    steps,
    ports: {
      accounts: input.accounts,
      clock: deps.clock,
      progress: deps.journals.progressIn(namespace),
      chain: async () => deps.chainOf(id, access),
    },
    abis: plugin.errorAbis?.(deps.contracts) ?? [],
    // A plugin belongs to its network, which nobody deploys: what it needs is done again without a request.
    repeats: () => ({ failed: true, undone: true, remedy: 'request a Restart' }),
    signal,
  });
  const { state, message = '', done, total } = summarise(id, steps, result);
  if (state !== 'done') return { state, message: `${done} of ${total} steps are done; ${message}` };
  const outcomes = [...result.outcomes.values()];
  const anchor = newestOf(outcomes.map((outcome) => (outcome.state === 'done' ? outcome.anchor : undefined)));
  return { state, report: reportOf(planned, input, result.known), anchor };
}

function reportOf({ plugin }: PlannedPlugin, input: PluginStepsInput, known: Known): PluginReport {
  return plugin.report?.(input, known) ?? {};
}

function reportsOf({ network }: PluginCase, planned: PlannedPlugin) {
  return Object.fromEntries(
    usedBy(planned).map((other) => {
      const { addresses, values } = network.status?.plugins?.[other] ?? {};
      return [other, compact({ addresses, values })];
    }),
  );
}
