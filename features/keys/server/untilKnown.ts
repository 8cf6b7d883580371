import { z } from 'zod';
import type { Surroundings } from '../../../apiserver/feature.ts';
import type { AnswerReplica } from '../../../apiserver/replicas/answerReplicas.ts';
import { recordName } from '../api/record.ts';
import { isEntryOf } from '../core/standing.ts';
import type { NamedKeyDeps } from './namedKeys.ts';

const askedSchema = z.object({ namespace: z.string(), name: z.string(), uid: z.string() });
type Asked = z.infer<typeof askedSchema>;

/**
 * Waits until every replica opens the key, or none does, for five seconds at most. Resolves to whether that is so: a replica that
 * does not answer may not know yet.
 */
export type UntilKnown = (key: Asked, isKnown: boolean) => Promise<boolean>;

/** The topic of questions for what other replicas know. */
export const topic = 'rpc-keys';
const limitMs = 5000;
const pauseMs = 100;

/** Whether this replica opens a key. */
export function answerKnown({ keys, records }: NamedKeyDeps): AnswerReplica {
  return (question) => {
    const { data } = askedSchema.safeParse(question);
    if (!data) return undefined;
    const { namespace, name, uid } = data;
    const key = keys.cache.byName(namespace, name);
    const entry = records.cache.byName(namespace, recordName)?.spec.keys[name];
    return key?.metadata.uid === uid && isEntryOf(entry, key);
  };
}

export function createUntilKnown(
  { askReplicas, clock }: Pick<Surroundings, 'askReplicas' | 'clock'>,
  answerHere: AnswerReplica,
): UntilKnown {
  return async (key, isKnown) => {
    for (const endMs = clock.nowMs() + limitMs; ; ) {
      const { answers, missing } = await askReplicas(topic, key);
      if (missing === 0 && [answerHere(key), ...answers].every((one) => one === isKnown)) return true;
      if (clock.nowMs() >= endMs) return false;
      await clock.sleep(pauseMs);
    }
  };
}
