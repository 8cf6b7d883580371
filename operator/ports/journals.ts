import { findById, idKey } from '../../core/api/ids.ts';
import { apiVersion, labels } from '../../core/api/names.ts';
import type { JournalResource, JournalSpec } from '../../core/api/resources/journal.ts';
import {
  type KubeObject,
  type OwnerReference,
  ownerReferenceTo,
} from '../../core/api/resources/kubeObject.ts';
import { journalType } from '../../core/api/resources/resources.ts';
import type { PositionStore, RelayPosition } from '../../core/crosschain/relay/protocol.ts';
import type { ProgressStore, StepProgress } from '../../core/deploy/progress.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError, isAppError } from '../../core/lib/errors.ts';
import { hashOf } from '../../core/lib/hash.ts';
import { cut } from '../../core/lib/text/foreignText.ts';

export interface JournalsDeps {
  kube: Pick<Kube, 'get' | 'create' | 'patch' | 'delete'>;
  /** The owners of journals: a scope starts with a kind, and the origin of a token or a LayerZero network, or the id of a
   * network. Requires the indexes `id` and `origin`. */
  caches: Record<'tokens' | 'networks', Pick<Reflector<KubeObject>, 'byIndex'>>;
}

/** One object per scope, deleted with the Token or the Network that owns the scope. */
export interface Journals {
  progressIn(namespace: string): ProgressStore;
  positionsIn(namespace: string): PositionStore;
  /** Deletes the journal of a scope; does nothing when there is none. */
  forget(namespace: string, scope: string): Promise<void>;
}

const maxRemembered = 20_000;

/** The name of the Journal of a scope. */
const journalNameOf = (scope: string): string => `j${hashOf(scope).slice(0, 24)}`;

export function createJournals(deps: JournalsDeps): Journals {
  const journals = createStoredJournals(deps);
  const attempts = createLatestAttempts();
  return {
    progressIn: (namespace) => ({
      // Absent members are omitted, never undefined.
      load: async (scope) =>
        ((await journals.read({ namespace, scope }))?.steps ?? {}) as Record<string, StepProgress>,
      async save(scope, step, progress) {
        if (attempts.isFormer({ namespace, scope }, step, progress)) return;
        await journals.write({ namespace, scope }, { steps: { [step]: shortened(progress) } });
      },
    }),
    positionsIn: (namespace) => ({
      // Absent members are omitted, never undefined.
      load: async (scope) =>
        (await journals.read({ namespace, scope }))?.position as RelayPosition | undefined,
      save: (scope, { waiting, checkpoints, ...position }) =>
        journals.write(
          { namespace, scope },
          {
            position: {
              ...position,
              waiting: [...waiting],
              ...(checkpoints ? { checkpoints: [...checkpoints] } : {}),
            },
          },
        ),
    }),
    forget(namespace, scope) {
      attempts.forget({ namespace, scope });
      return journals.remove({ namespace, scope });
    },
  };
}

interface JournalRef {
  namespace: string;
  scope: string;
}

const keyOf = ({ namespace, scope }: JournalRef) => `${namespace}/${scope}`;

/** Of each step, by journal. Runs that share a scope may know of different attempts. */
function createLatestAttempts() {
  const latest = createBoundedMap<string, Map<string, number>>(maxRemembered);
  return {
    /** Whether a later attempt than this one was stored; otherwise this one is the latest. */
    isFormer(ref: JournalRef, step: string, { attempt }: StepProgress): boolean {
      const steps = latest.get(keyOf(ref)) ?? new Map<string, number>();
      if ((steps.get(step) ?? 0) > attempt) return true;
      latest.set(keyOf(ref), steps.set(step, attempt));
      return false;
    },
    forget: (ref: JournalRef) => latest.delete(keyOf(ref)),
  };
}

function createStoredJournals({ kube, caches }: JournalsDeps) {
  /** Journals that existed when they were last read or written. */
  const present = createBoundedMap<string, true>(maxRemembered);
  const nameOf = ({ namespace, scope }: JournalRef) => ({ namespace, name: journalNameOf(scope) });

  async function merge(ref: JournalRef, spec: Partial<JournalSpec>): Promise<void> {
    await kube.patch(journalType, nameOf(ref), { spec: withNulls(spec) });
  }

  async function create(ref: JournalRef, spec: Partial<JournalSpec>): Promise<void> {
    await kube.create(journalType, newJournal({ ...ref, owner: ownerOf(caches, ref) }, spec));
  }

  return {
    async read(ref: JournalRef): Promise<JournalSpec | undefined> {
      const journal = await kube.get(journalType, nameOf(ref));
      if (journal) present.set(keyOf(ref), true);
      return journal?.spec;
    },
    /** Merges into the existing object; the first write creates it. */
    async write(ref: JournalRef, spec: Partial<JournalSpec>): Promise<void> {
      const key = keyOf(ref);
      try {
        await (present.has(key) ? merge(ref, spec) : create(ref, spec));
      } catch (error) {
        if (isAppError(error, 'NotFound')) {
          present.delete(key);
          throw new AppError('Unavailable', `the journal of ${ref.scope} is gone`);
        }
        if (!isAppError(error, 'Conflict')) throw error;
        // Created by someone else in the meantime.
        await merge(ref, spec);
      }
      present.set(key, true);
    },
    async remove(ref: JournalRef): Promise<void> {
      present.delete(keyOf(ref));
      await kube.delete(journalType, nameOf(ref));
    },
  };
}

function ownerOf(caches: JournalsDeps['caches'], { namespace, scope }: JournalRef): OwnerReference {
  const [kind = '', id = ''] = scope.split('/');
  const cache = caches[kind === 'token' ? 'tokens' : 'networks'];
  const owner = cache.byIndex('origin', idKey(namespace, id))[0] ?? findById(cache, namespace, id);
  if (!owner) throw new AppError('Unavailable', `the owner of ${scope} is gone`);
  return ownerReferenceTo(owner);
}

interface NewJournal {
  namespace: string;
  scope: string;
  owner: OwnerReference;
}

function newJournal({ namespace, scope, owner }: NewJournal, spec: Partial<JournalSpec>): JournalResource {
  const [kind = ''] = scope.split('/');
  return {
    apiVersion,
    kind: 'Journal',
    metadata: {
      name: journalNameOf(scope),
      namespace,
      labels: { [labels.scope]: kind },
      ownerReferences: [owner],
    },
    spec: { scope, ...spec },
  };
}

function shortened({ message, ...progress }: StepProgress): StepProgress {
  return { ...progress, ...compact({ message: message && cut(message, 1000) }) };
}

const absentStep = { hash: null, state: null, block: null, blockHash: null, address: null, message: null };

const absentPosition = { index: null, span: null, checkpoints: null };

/** A merge patch keeps what it does not name. */
function withNulls({ steps, position }: Partial<JournalSpec>): object {
  const all = Object.entries(steps ?? {}).map(([name, step]) => [name, { ...absentStep, ...step }]);
  return {
    ...(steps ? { steps: Object.fromEntries(all) } : {}),
    ...(position ? { position: { ...absentPosition, ...position } } : {}),
  };
}
