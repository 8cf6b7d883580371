import type { NamespacedObject, ResourceType } from '../core/api/resources/kubeObject.ts';
import type { Reflector } from '../core/kube/cache/reflector.ts';
import { merged } from '../core/lib/typed.ts';
import { features } from '../features/registry/server.ts';
import type { CountedBudget } from './budget.ts';
import type { FindContract, ListContracts } from './contracts.ts';
import { createHasAccess } from './events/access.ts';
import { createAccessWatch } from './events/accessWatch.ts';
import type { Surroundings } from './feature.ts';
import type { ObserveCalls } from './gateway/calls/observed.ts';
import type { AuditedRequest } from './http/auth/audit.ts';
import type { KeySource } from './http/auth/keySource.ts';
import type { ReadsAfterWrites } from './store/readsAfterWrites.ts';
import { createKindOf } from './store/storedKinds.ts';
import type { SignIn } from './workspaces/signIn.ts';

export interface FeaturesDeps
  extends Omit<Surroundings, 'watch' | 'budgets' | 'findContract' | 'listContracts' | 'access'> {
  reads: ReadsAfterWrites;
  /** API keys. */
  keys: KeySource;
  openCache<T extends NamespacedObject>(type: ResourceType<T>): Reflector<T>;
}

type Cache = Pick<Reflector<NamespacedObject>, 'start' | 'whenSynced' | 'stop' | 'lastSyncMs'>;

/** The metrics of all features. */
export const featureMetricTables = features.flatMap(({ metrics = [] }) => metrics);

/** What all features add to this process. */
export function createFeatures({ openCache, keys, ...deps }: FeaturesDeps) {
  const caches: Cache[] = [];
  const kindOf = createKindOf(deps);
  const watch: Surroundings['watch'] = (type) => {
    const cache = openCache(type);
    deps.reads.follow(cache);
    caches.push(cache);
    return kindOf(cache);
  };
  const budgets: CountedBudget[] = [];
  const knowing: KnowsContracts[] = [];
  const signIns: SignIn[] = [];
  const hasAccess = createHasAccess({ keys, sessions: sessionsOf(signIns) });
  const access = createAccessWatch({ hasAccess, clock: deps.clock });
  const parts = features.map((feature) => {
    const part = feature.create({ ...deps, ...contractsOf(knowing), watch, budgets, access });
    budgets.push(...(part.budgets ?? []));
    knowing.push(part);
    if (part.signIn) signIns.push(part.signIn);
    return part;
  });
  return {
    caches,
    access,
    /** At most one feature has them. */
    signIn: signIns[0],
    mailer: parts.find(({ mailer }) => mailer)?.mailer,
    endStreams() {
      for (const part of parts) part.endStreams?.();
    },
    answersReplicas: new Map(parts.flatMap(({ answersReplicas = {} }) => Object.entries(answersReplicas))),
    observeCalls: allOf(parts.flatMap(({ observeCalls = [] }) => observeCalls)),
    /** At most one feature has them. */
    namedKeys: parts.find(({ namedKeys }) => namedKeys)?.namedKeys,
    ownServices: new Map(parts.flatMap(({ ownServices = {} }) => Object.entries(ownServices))),
    close: async () => void (await Promise.all(parts.map((part) => part.close?.()))),
    handlers: merged(parts.map(({ handlers }) => handlers)),
    keepSecrets: parts.flatMap(({ keepsSecret }) => keepsSecret ?? []),
    steps: [...caches, ...parts.flatMap(({ steps = [] }) => steps)],
    note(request: AuditedRequest) {
      for (const part of parts) part.note?.(request);
    },
    flush: async () => void (await Promise.all(parts.map((part) => part.flush?.()))),
  };
}

/** The sessions of the feature that has them, once it is there. */
function sessionsOf(signIns: readonly SignIn[]): KeySource {
  return { find: (id) => signIns[0]?.authenticator.keys.find(id) };
}

interface KnowsContracts {
  findContract?: FindContract;
  listContracts?: ListContracts;
}

/** What all features know of contracts: those that are there when it is asked for. The first that knows one decides. */
function contractsOf(knowing: readonly KnowsContracts[]): Required<KnowsContracts> {
  return {
    async findContract(place, charge) {
      const found = await Promise.all(knowing.map((feature) => feature.findContract?.(place, charge)));
      return found.find((one) => one !== undefined);
    },
    listContracts: async (where) =>
      (await Promise.all(knowing.map((feature) => feature.listContracts?.(where) ?? []))).flat(),
  };
}

/** Tells all who want to know the calls of a network. */
function allOf(observers: readonly ObserveCalls[]): ObserveCalls {
  const [only, ...others] = observers;
  if (only && others.length === 0) return only;
  return (networkUid) => {
    const takers = observers.flatMap((observe) => observe(networkUid) ?? []);
    if (takers.length === 0) return undefined;
    return (call) => {
      for (const take of takers) take(call);
    };
  };
}
