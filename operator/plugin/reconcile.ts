import { idOf } from '../../core/api/ids.ts';
import { labels } from '../../core/api/names.ts';
import { pluginNames } from '../../core/api/resources/plugins.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { pluginsOf } from '../../core/api/rules/plugins.ts';
import { type Anchor, isAnchored } from '../../core/deploy/anchor.ts';
import { compact } from '../../core/lib/compact.ts';
import { isAppError, messageOf } from '../../core/lib/errors.ts';
import { withoutTexts } from '../../core/lib/text/withoutTexts.ts';
import { isPresent } from '../../core/networks/incarnation.ts';
import type { PlannedPlugin } from '../../core/plugins/extendPlan.ts';
import { type PluginReport, pluginScope } from '../../core/plugins/plugin.ts';
import { type PluginProgress, pluginStatusOf } from '../../core/plugins/status.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import { type PluginCase, type PluginDeps, type PluginRef, pluginKey } from './deps.ts';
import { createRunMemory, type RunMemory } from './memory.ts';
import { basisOf, deploymentOf, type PluginReadiness, readinessOf } from './readiness.ts';
import { type RunEnd, runPlugin } from './run.ts';
import { createCredentials, credentialsName, deleteSecrets } from './secrets.ts';
import { writeEntry } from './statusWriter.ts';

/** How often a plugin that is ready is looked for on the chain, which may have been rolled back past it. */
const verifyMs = 30_000;

const rolledBack = 'the chain was rolled back past one of its steps: the steps that were undone are repeated';

type Runnable = Extract<PluginReadiness, { kind: 'runnable' }>;

interface Context extends PluginDeps {
  memory: RunMemory;
  credentials: ReturnType<typeof createCredentials>;
}

/** Reconciles plugins; a key is `<uid of the network>/<name of the plugin>`. */
export function createPluginReconcile(deps: PluginDeps) {
  const context: Context = { ...deps, memory: createRunMemory(), credentials: createCredentials(deps) };
  return async function reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const [uid = '', owner] = key.split('/');
    const name = pluginNames.find((one) => one === owner);
    const [network] = deps.caches.networks.byIndex('uid', uid);
    if (name === undefined || !isPresent(network)) {
      context.memory.forget(key);
      return { state: 'Gone' };
    }
    const chosen = pluginsOf(network.spec.chain).find((one) => one.name === name);
    if (!chosen) return remove(context, { network, name });
    return advance(context, { network, name, chosen }, signal);
  };
}

/** A plugin that was removed from the spec: its objects in the cluster are deleted, its contracts stay on the chain. */
async function remove(context: Context, ref: PluginRef): Promise<ReconcileResult> {
  const { network, name } = ref;
  const entry = network.status?.plugins?.[name];
  const pods = context.caches.pods.byIndex('network', network.metadata.uid);
  const isEnding = pods.some(({ metadata }) => metadata.labels?.[labels.plugin] === name);
  if (!entry) return { state: 'Gone' };
  const { deployment } = entry;
  const ending = { state: 'Pending', message: 'being removed', ...compact({ deployment }) } as const;
  await writeEntry(context, ref, pluginStatusOf(ending));
  // The controller of networks removes the pods first, so that none misses its Secret.
  if (isEnding) return { state: 'Ending' };
  await deleteSecrets(context.kube, ref);
  await forgetDeployment(context, ref, deployment);
  context.credentials.forget(ref);
  context.memory.forget(pluginKey(network.metadata.uid, name));
  await writeEntry(context, ref, undefined);
  return { state: 'Gone' };
}

async function forgetDeployment(
  { journals }: PluginDeps,
  { network, name }: PluginRef,
  deployment: string | undefined,
): Promise<void> {
  if (deployment === undefined) return;
  const scope = pluginScope(name, { id: idOf(network), incarnation: deployment });
  await journals.forget(network.metadata.namespace, scope);
}

async function advance(context: Context, one: PluginCase, signal: AbortSignal): Promise<ReconcileResult> {
  const before = one.network.status?.plugins?.[one.name]?.deployment;
  const deployment = await deploymentNow(context, one, before);
  if (before !== deployment) {
    await forgetDeployment(context, one, before);
    // Stored before anything is done in its name: after a crash it has the same one.
    await report(context, one, { state: 'Pending', message: 'beginning', deployment });
  }
  const readiness = readinessOf(context, one);
  // Until that is known, the report of the former leader stays.
  if (readiness.kind === 'unknown') return { state: stateOf(one) };
  if (readiness.kind === 'runnable')
    return runOrVerify(context, { ...one, ...readiness, deployment }, signal);
  await report(context, one, { ...readiness.progress, deployment, ...formerReport(one, deployment) });
  return { state: readiness.progress.state };
}

/** A cache may not show yet what another leader has stored. */
async function deploymentNow(
  { kube }: Context,
  one: PluginCase,
  before: string | undefined,
): Promise<string> {
  const nowMs = await kube.serverTimeMs();
  const known = deploymentOf(one, before, nowMs);
  if (known === before) return known;
  const live = await kube.get(networkType, one.network.metadata);
  return deploymentOf(one, live?.status?.plugins?.[one.name]?.deployment, nowMs);
}

/** What is on the chain stays there while the pods of the plugin start again. */
function formerReport({ network, name }: PluginCase, deployment: string): { report?: PluginReport } {
  const { deployment: former, addresses, values } = network.status?.plugins?.[name] ?? {};
  if (former !== deployment) return {};
  return { report: compact({ addresses, values }) };
}

type Deployed = PluginCase & Runnable & { deployment: string };

/** All pods are ready: takes the steps, or checks that their results are still on the chain. */
async function runOrVerify(context: Context, one: Deployed, signal: AbortSignal): Promise<ReconcileResult> {
  const { memory, clock } = context;
  const key = pluginKey(one.network.metadata.uid, one.name);
  const basis = basisOf(one, one.pods, one.deployment);
  const done = memory.done(key, basis);
  if (done) {
    if (await isOnChain(context, one, { anchor: done.anchor, signal })) {
      await finish(context, one, done.report);
      return { requeueAfterMs: verifyMs, state: 'Ready' };
    }
    memory.forget(key);
    await report(context, one, { state: 'Pending', message: rolledBack, ...formerOf(one) });
  }
  const restMs = memory.restMs(key, basis, clock.nowMs());
  if (restMs > 0) return { requeueAfterMs: restMs, state: stateOf(one) };
  await context.credentials.ensure(one, one.planned);
  // The report of the former run stays until this one has more to say.
  if (!memory.hasTried(key, basis)) await reportBusy(context, one);
  const end = await runSafely(context, one, signal);
  if (end.state === 'done') {
    memory.succeed(key, { basis, report: end.report, anchor: end.anchor });
    await finish(context, one, end.report);
    return { requeueAfterMs: verifyMs, state: 'Ready' };
  }
  const state = end.state === 'failed' ? 'Error' : 'Pending';
  await report(context, one, { state, message: end.message, ...formerOf(one) });
  const pause = end.state === 'failed' ? memory.fail : memory.wait;
  return { requeueAfterMs: pause(key, basis, clock.nowMs()), state };
}

const stateOf = ({ network, name }: PluginCase) => network.status?.plugins?.[name]?.state ?? 'Pending';

const formerOf = (one: Deployed) => ({
  deployment: one.deployment,
  ...formerReport(one, one.deployment),
});

/** A plugin that is ready stays so while its steps are only looked at again. */
async function reportBusy(context: Context, one: Deployed): Promise<void> {
  const entry = one.network.status?.plugins?.[one.name];
  if (entry?.deployment === one.deployment && entry.state !== 'Pending') return;
  await report(context, one, { state: 'Pending', message: 'taking its steps', ...formerOf(one) });
}

async function runSafely(context: Context, one: Deployed, signal: AbortSignal): Promise<RunEnd> {
  try {
    const { planned, deployment } = one;
    return await runPlugin(context, { one, planned, deployment, signal });
  } catch (error) {
    // A plugin is not ours: whatever it throws concerns it alone.
    const isPassing = isAppError(error) && error.isRetryable;
    return { state: isPassing ? 'retry' : 'failed', message: messageOf(error) };
  }
}

/** Whether the chain still has the transactions of all steps. */
async function isOnChain(
  { chainOf }: Context,
  { network }: PluginCase,
  { anchor, signal }: { anchor: Anchor | undefined; signal: AbortSignal },
): Promise<boolean> {
  if (!anchor) return true;
  const { namespace } = network.metadata;
  const { enclaveID = '' } = network.status ?? {};
  const chain = chainOf(idOf(network), { namespace, enclaveID, signers: {}, signal });
  return isAnchored(chain, anchor);
}

function finish(
  context: Context,
  one: Deployed,
  { addresses, values: reported }: PluginReport,
): Promise<void> {
  const secret = one.planned.credentials && { credentials: credentialsName(one.network, one.name) };
  const values = { ...reported, ...secret };
  return report(context, one, {
    state: 'Ready',
    message: 'ready',
    deployment: one.deployment,
    report: compact({ addresses, values: Object.keys(values).length > 0 ? values : undefined }),
  });
}

function report(
  context: Context,
  one: PluginCase & { planned?: PlannedPlugin },
  progress: PluginProgress,
): Promise<void> {
  const posted = context.board.get(one.network.metadata.uid);
  const planned = one.planned ?? posted?.run.find(({ plugin }) => plugin.name === one.name);
  const message = planned ? withoutPluginSecrets(progress.message, planned) : progress.message;
  return writeEntry(context, one, pluginStatusOf({ ...progress, message }));
}

/** What programs print before they exit may contain what they were given. */
function withoutPluginSecrets(message: string, { secretTexts }: PlannedPlugin): string {
  return withoutTexts(message, secretTexts, '[secret]');
}
