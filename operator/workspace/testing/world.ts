import type { Keyring } from '../../../core/accounts/keyring.ts';
import { createSealer } from '../../../core/accounts/seal.ts';
import { aKeyring } from '../../../core/accounts/testing/keyrings.ts';
import { type Installation, installationSchema } from '../../../core/api/installation.ts';
import type { WorkspaceResource } from '../../../core/api/resources/accountResources.ts';
import { secretType } from '../../../core/api/resources/resources.ts';
import { createReflector } from '../../../core/kube/cache/reflector.ts';
import { createEventRecorder } from '../../../core/kube/events/recorder.ts';
import type { Kube, Stored } from '../../../core/kube/kube.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { createReferenceReader } from '../../network/references.ts';
import { createUserController } from '../../user/controller.ts';
import { createAccountCaches } from '../caches.ts';
import { createWorkspaceController } from '../controller.ts';

export const sealer = createSealer({ currentId: 'k1', keys: new Map([['k1', Buffer.alloc(32, 1)]]) });

const installation = installationSchema.parse({
  publicUrl: 'http://gateway',
  defaultWorkspace: { id: 'default', namespace: 'slipway-default' },
  workspaces: {
    networkPolicies: [
      { name: 'slipway-default-deny', spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] } },
      {
        name: 'slipway-engines',
        spec: { podSelector: { matchLabels: { a: 'b' } }, policyTypes: ['Egress'] },
      },
    ],
    bindings: [
      { role: 'slipway-operator-workspace', serviceAccount: 'slipway-operator' },
      { role: 'slipway-operator-home', serviceAccount: 'slipway-operator' },
      { role: 'slipway-apiserver-workspace', serviceAccount: 'slipway-apiserver' },
    ],
  },
});

interface OperatorOptions {
  serviceNamespace?: string;
  /** false: run only the workspace controller. */
  hasUsers?: boolean;
  /** Replaces members of `installation.workspaces`. */
  workspaces?: Partial<Installation['workspaces']>;
  serviceAccountKeys?: Keyring;
  pullSecretsFolder?: string;
}

/** An operator with the workspace and user controllers, without leader election. */
export async function startAccountsOperator(kube: Kube, options: OperatorOptions = {}) {
  const { serviceNamespace = 'slipway-system', hasUsers = true, workspaces } = options;
  const common = { kube, clock: systemClock, log: silentLog };
  const kubeMetrics = { watchRestarts: () => undefined };
  const caches = createAccountCaches({ ...common, kubeMetrics }, serviceNamespace);
  const secrets = createReflector({ ...common, type: secretType });
  const all = [...Object.values(caches), secrets];
  for (const cache of all) cache.start();
  await Promise.all(all.map((cache) => cache.whenSynced()));
  const deps = {
    ...common,
    caches,
    secrets,
    sealer,
    references: createReferenceReader(sealer),
    events: createEventRecorder({ kube, component: 'slipway-operator', log: silentLog }),
    installation: { ...installation, workspaces: { ...installation.workspaces, ...workspaces } },
    serviceNamespace,
    serviceAccountKeys: options.serviceAccountKeys ?? aKeyring('service account key'),
    pullSecretsFolder: options.pullSecretsFolder ?? '/none',
  };
  const stopping = new AbortController();
  const settings = { workers: 4 };
  const running = Promise.all([
    createWorkspaceController(deps, settings).run(stopping.signal),
    ...(hasUsers ? [createUserController(deps, settings).run(stopping.signal)] : []),
  ]);
  return {
    deps,
    caches,
    secrets,
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(all.map((cache) => cache.stop()));
    },
  };
}

export type AccountsOperator = Awaited<ReturnType<typeof startAccountsOperator>>;

/** The workspace once its first condition has this reason. */
export async function whenWorkspace(
  { caches }: AccountsOperator,
  reason: string,
  name = 'team',
): Promise<Stored<WorkspaceResource>> {
  const found = await caches.workspaces.waitFor(
    ({ metadata, status }) => metadata.name === name && status?.conditions?.[0]?.reason === reason,
    { timeoutMs: 120_000 },
  );
  if (!found) throw new Error(`${name} did not become ${reason}`);
  return found;
}
