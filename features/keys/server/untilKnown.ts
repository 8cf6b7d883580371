import { z } from 'zod';
import type { Surroundings } from '../../../apiserver/feature.ts';
import type { AnswerReplica } from '../../../apiserver/replicas/answerReplicas.ts';
import { recordName } from '../api/record.ts';
import { isEntryOf } from '../core/standing.ts';
import type { NamedKeyDeps } from './namedKeys.ts';

const askedSchema = z.object({ namespace: z.string(), name: z.string(), uid: z.string() });
type Asked = z.infer<typeof askedSchema>;

/** Waits until every replica that answers opens the key, or none does. For some seconds at most. */
export type UntilKnown = (key: Asked, isKnown: boolean) => Promise<void>;

/** The topic of questions for what other replicas know. */
export const topic = 'rpc-keys';
const attempts = 50;
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
    for (let attempt = 0; attempt < attempts; attempt++) {
      const { answers } = await askReplicas(topic, key);
      if ([answerHere(key), ...answers].every((one) => one === isKnown)) return;
      await clock.sleep(pauseMs);
    }
  };
}
