import { idOf } from '../../core/api/ids.ts';
import type { BodyOf } from '../../core/api/operations/operations.ts';
import type { TokenResource } from '../../core/api/resources/tokenResource.ts';
import { deploymentArgsSchema, maxDeployments } from '../../core/api/rest/tokenDeploy.ts';
import { detailsOf } from '../../core/api/rules/issues.ts';
import { settingIssues, withSettings } from '../../core/api/rules/settingArgs.ts';
import { definitionOf, type TokenArgs } from '../../core/api/rules/tokenArgs.ts';
import { type DeploymentEntry, entryOf, statusOf } from '../../core/api/views/deployments.ts';
import { toToken } from '../../core/api/views/tokenView.ts';
import type { Stored } from '../../core/kube/kube.ts';
import type { ErrorDetail } from '../../core/lib/errors.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { changeDeployments } from './change.ts';
import type { TokenDeps } from './deps.ts';
import { findGone } from './gone.ts';
import { checkMayDeploy, describeToken, locationOf } from './identity.ts';
import { type FoundNetwork, findNetworks, networksOf, refuse } from './networks.ts';

interface Addition {
  args: BodyOf<'addDeployments'>['args'];
  found: readonly FoundNetwork[];
  /** Names of networks whose chain no longer has what the status says to be deployed there. */
  gone: ReadonlySet<string>;
}

/** Deploys a token on further networks, and again where its deployment failed, was lost or is not complete. */
export function addDeployments(deps: TokenDeps): Handler<'addDeployments'> {
  return async ({ principal, params, body, idempotencyMark: mark }) => {
    const token = await deps.find(principal.namespace, params.token_id);
    checkMayDeploy(token, principal);
    const named = body.networks.map((id, index) => ({ path: `networks[${index}]`, id }));
    const found = await findNetworks(deps, principal.namespace, named);
    await deps.findAccount(principal.userId);
    const addition = { args: body.args, found, gone: await findGone(deps, token, found) };
    const updated = await changeDeployments(deps, { token, mark }, (current) => withAdded(current, addition));
    for (const network of networksOf(found)) deps.touch(network);
    return {
      body: toToken(updated, deps.networks),
      location: locationOf(updated),
      objects: [describeToken(updated)],
    };
  };
}

/** The deployments including the requested ones. Throws BadRequest naming every problem. */
function withAdded(current: Stored<TokenResource>, addition: Addition): DeploymentEntry[] {
  const { deployments } = current.spec;
  const { args, details } = argsOf(current, addition);
  const after = new Map(deployments.map((entry) => [entry.network, entry]));
  for (const one of addition.found) {
    const planned = planOf(current, one, { ...addition, args });
    if ('message' in planned) details.push(planned);
    if ('network' in planned) after.set(planned.network, planned);
  }
  if (after.size > maxDeployments) {
    details.push({
      path: 'networks',
      message: `a token can have at most ${maxDeployments} deployments: use fewer networks`,
    });
  }
  refuse(details);
  const isChanged = [...after].some(([, entry]) => !deployments.includes(entry));
  return isChanged ? [...after.values()] : deployments;
}

/** The args, validated by the token's standard. Without any, a repeated deployment keeps its previous args. */
function argsOf(
  { spec: { type, mechanism, deployments, spec: settings } }: Stored<TokenResource>,
  { args, found }: Pick<Addition, 'args' | 'found'>,
): { args: TokenArgs | undefined; details: ErrorDetail[] } {
  const isKnown = ({ name }: { name: string }) => deployments.some(({ network }) => network === name);
  const isNew = found.some((one) => 'network' in one && !isKnown(one.network.metadata));
  if (args === undefined && !isNew) return { args, details: [] };
  const definition = definitionOf(type);
  const whole = withSettings(definition, args ?? {}, settings);
  const parsed = deploymentArgsSchema(type, mechanism).safeParse(whole);
  const wrong = settingIssues(definition, args, settings).map(({ member: path, message }) => ({
    path,
    message,
  }));
  if (parsed.success && wrong.length === 0) {
    const { networks: _, ...own } = parsed.data;
    return { args: args && own, details: [] };
  }
  const all = [...wrong, ...(parsed.success ? [] : detailsOf(parsed.error))];
  const details = all.map(({ path, message }) => ({ path: `args.${path}`, message }));
  return { args: undefined, details };
}

/** The plan for one deployment: a new one, a repeated one, or a refusal. */
function planOf(
  current: Stored<TokenResource>,
  one: FoundNetwork,
  { args, gone }: Pick<Addition, 'gone'> & { args: TokenArgs | undefined },
): DeploymentEntry | ErrorDetail {
  if ('message' in one) return one;
  const { name } = one.network.metadata;
  const id = idOf(one.network);
  const before = current.spec.deployments.find(({ network }) => network === name);
  const kept = args ?? before?.args ?? {};
  // The generation increases with each change, so no other deployment of this token has the same nonce.
  const next = { ...entryOf(one.network, kept), nonce: current.metadata.generation ?? 1 };
  if (!before || (before.networkID ?? id) !== id) return next;
  const status = statusOf(current, before);
  if (gone.has(name) || mayRepeat(status)) return next;
  const message =
    status?.state === 'Deployed'
      ? 'the token is already deployed on this network: remove it from the request'
      : 'the token is already being deployed on this network: remove it from the request';
  return { path: one.path, message };
}

/** Failed or lost, or deployed with a message that says what is missing. */
function mayRepeat(status: ReturnType<typeof statusOf>): boolean {
  const { state, message, isRepaired = false } = status ?? {};
  if (state === 'Error' || state === 'Lost') return true;
  return state === 'Deployed' && message !== undefined && !isRepaired;
}
