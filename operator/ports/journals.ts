import type { JournalResource } from '../../core/api/journal.ts';
import type { KubeObject, OwnerReference } from '../../core/api/kubeObject.ts';
import { apiVersion, labels } from '../../core/api/names.ts';
import { journalType } from '../../core/api/resources.ts';
import type { Kube } from '../../core/kube/kube.ts';
import type { Reflector } from '../../core/kube/reflector.ts';
import { AppError, isAppError } from '../../core/lib/errors.ts';
import { hashOf } from '../../core/lib/hash.ts';
import type { ProgressStore, StepProgress } from '../../core/tokens/progress.ts';
import type { PositionStore } from '../../core/tokens/relay/protocol.ts';

export interface JournalsDeps {
  kube: Pick<Kube, 'get' | 'create' | 'patch'>;
  /** Whose journals they are: a scope begins with what it is of and its uid. */
  caches: Record<'tokens' | 'networks', Pick<Reflector<KubeObject>, 'byIndex'>>;
}

/** One object for each scope, going with the Token or the Network that the scope is of. */
export interface Journals {
  progressIn(namespace: string): ProgressStore;
  positionsIn(namespace: string): PositionStore;
}

export const journalName = (scope: string): string => `j${hashOf(scope).slice(0, 24)}`;

export function createJournals({ kube, caches }: JournalsDeps): Journals {
  const read = async (namespace: string, scope: string) =>
    (await kube.get(journalType, { namespace, name: journalName(scope) }))?.spec;

  /** Merges into what is there; the first write makes the object. */
  async function write(namespace: string, scope: string, spec: object): Promise<void> {
    const ref = { namespace, name: journalName(scope) };
    for (let attempt = 1; ; attempt += 1) {
      try {
        await kube.patch(journalType, ref, { spec });
        return;
      } catch (error) {
        if (!isAppError(error, 'NotFound')) throw error;
      }
      try {
        await kube.create(journalType, newJournal(namespace, scope, ownerOf(scope)));
      } catch (error) {
        if (!isAppError(error, 'Conflict') || attempt > 2) throw error;
      }
    }
  }

  function ownerOf(scope: string): OwnerReference {
    const [kind = '', uid = ''] = scope.split('/');
    const [owner] = caches[kind === 'token' ? 'tokens' : 'networks'].byIndex('uid', uid);
    if (!owner) throw new AppError('Unavailable', `what ${scope} is about is gone`);
    return { apiVersion, kind: owner.kind, name: owner.metadata.name, uid };
  }

  return {
    progressIn: (namespace) => ({
      // Members that are absent are absent, never undefined.
      load: async (scope) => ((await read(namespace, scope))?.steps ?? {}) as Record<string, StepProgress>,
      save: (scope, step, progress) => write(namespace, scope, { steps: { [step]: whole(progress) } }),
    }),
    positionsIn: (namespace) => ({
      load: async (scope) => (await read(namespace, scope))?.position,
      save: (scope, position) => write(namespace, scope, { position }),
    }),
  };
}

function newJournal(namespace: string, scope: string, owner: OwnerReference): JournalResource {
  const [kind = ''] = scope.split('/');
  return {
    apiVersion,
    kind: 'Journal',
    metadata: {
      name: journalName(scope),
      namespace,
      labels: { [labels.scope]: kind },
      ownerReferences: [owner],
    },
    spec: { scope },
  };
}

/** A merge patch keeps what it does not name. */
function whole({ attempt, hash, state, block, address, message }: StepProgress): object {
  return {
    attempt,
    hash: hash ?? null,
    state: state ?? null,
    block: block ?? null,
    address: address ?? null,
    message: message?.slice(0, 1000) ?? null,
  };
}
