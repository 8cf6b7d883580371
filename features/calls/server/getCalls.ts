import { z } from 'zod';
import type { Surroundings } from '../../../apiserver/feature.ts';
import type { Handler } from '../../../apiserver/http/pipeline/handler.ts';
import type { AnswerReplica } from '../../../apiserver/replicas/answerReplicas.ts';
import { type Call, callSchema, wantedOf } from '../api/calls.ts';
import { isKept } from './kept.ts';
import { type CallRings, lastOf } from './rings.ts';

interface GetDeps {
  find: Surroundings['kinds']['networks']['find'];
  askReplicas: Surroundings['askReplicas'];
  rings: Pick<CallRings, 'of'>;
}

/** The topic of questions for the calls of other replicas. */
export const topic = 'calls';

/** The last calls to a network, of all replicas. */
export function getNetworkCalls({ find, askReplicas, rings }: GetDeps): Handler<'getNetworkCalls'> {
  return async ({ principal, params, query }) => {
    const network = await find(principal.namespace, params.id);
    const list = { kind: 'CallList', version: 'v1alpha' } as const;
    if (!isKept(network)) return { body: { ...list, enabled: false, items: [], missingReplicas: 0 } };
    const wanted = wantedOf(network.metadata.uid, query ?? {});
    const { answers, missing } = await askReplicas(topic, wanted);
    const read = answers.map((answer) => callsSchema.safeParse(answer));
    const others = read.flatMap(({ data = [] }) => data);
    const unread = read.filter(({ success }) => !success).length;
    const items = lastOf([...rings.of(wanted), ...others].sort(byTime), wanted);
    return { body: { ...list, enabled: true, items, missingReplicas: missing + unread } };
  };
}

const callsSchema = z.array(callSchema);
const wantedSchema = z.object({
  network: z.string(),
  isFailedOnly: z.boolean(),
  sinceMs: z.number(),
  limit: z.int(),
});

/** Answers another replica with the calls of this one. */
export function answerCalls(rings: Pick<CallRings, 'of'>): AnswerReplica {
  return (question) => {
    const { data } = wantedSchema.safeParse(question);
    return data && rings.of(data);
  };
}

const byTime = (one: Call, other: Call) => Date.parse(one.time) - Date.parse(other.time);
