import type { Cursors } from '../../../apiserver/http/paging/cursor.ts';
import { listPageOf } from '../../../apiserver/http/paging/list.ts';
import type { Clause } from '../../../apiserver/http/paging/selector.ts';
import type { Call, Handler } from '../../../apiserver/http/pipeline/handler.ts';
import { forCaller, type Store } from '../../../apiserver/store/kubeErrors.ts';
import { parseRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import type { AuditEntry } from '../api/audit.ts';
import type { PlacedRecord } from './chunks.ts';
import { keyOf, readAudit } from './read.ts';

interface AuditDeps {
  kube: Pick<Store, 'get' | 'list'>;
  /** Name or e-mail address of a user, if it is known without asking the cluster. */
  userNameOf(userId: string): string | undefined;
  cursors: Cursors;
}

/** What a chunk of entries costs that is read and unpacked, in requests. */
const chunkPrice = 5;

type Query = NonNullable<Call<'listAuditEntries'>['query']>;

/** What callers did in the workspace, newest first. */
export function listAuditEntries({ kube, userNameOf, cursors }: AuditDeps): Handler<'listAuditEntries'> {
  return async ({ principal, params, query, charge }) => {
    const reading = {
      get: ((type, ref) => {
        charge(chunkPrice);
        return forCaller(kube.get(type, ref));
      }) as Store['get'],
      list: ((type, options) => forCaller(kube.list(type, options))) as Store['list'],
    };
    const { limit, cursor, ...filter } = query;
    const sinceMs = parseRfc3339(filter.since);
    const { json } = await listPageOf<PlacedRecord>(
      {
        kind: 'AuditEntryList',
        version: 'v1alpha1',
        principal,
        query: compact({ limit, cursor }),
        endpoint: `listAuditEntries/${params.id}`,
        filters: clausesOf(filter),
        selectable: [],
        keyOf,
        compare: byTime,
        readField: (one, field) => readField(one, field, filter),
        read: (wanted) => readAudit(reading, principal.namespace, { ...wanted, sinceMs }),
        toJson: (one) => JSON.stringify(toEntry(one, userNameOf)),
      },
      cursors,
    );
    return { json };
  };
}

/** Replicas write in turns, so that the places of entries are not exactly in the order of their times. */
function byTime({ record: one }: PlacedRecord, { record: other }: PlacedRecord): number {
  return Date.parse(other.at) - Date.parse(one.at);
}

function clausesOf(filter: Omit<Query, 'limit' | 'cursor'>): Clause[] {
  return Object.entries(filter).flatMap(([field, value]) =>
    value === undefined ? [] : [{ field, operator: '==', value } satisfies Clause],
  );
}

/** Conditions that are not a plain comparison read as the wanted value where they are met. */
function readField({ record }: PlacedRecord, field: string, { actor, since }: Query): string | undefined {
  const { userID, apiKeyID, sessionID } = record;
  if (field === 'actor') return [userID, apiKeyID, sessionID].find((id) => id === actor);
  if (field === 'since') return isAtOrAfter(record.at, since) ? since : undefined;
  return field === 'action' ? record.action : record.outcome;
}

function isAtOrAfter(at: string, since: string | undefined): boolean {
  return (parseRfc3339(at) ?? 0) >= (parseRfc3339(since) ?? 0);
}

function toEntry({ record, sequence, index }: PlacedRecord, userNameOf: AuditDeps['userNameOf']): AuditEntry {
  return {
    kind: 'AuditEntry',
    version: 'v1alpha1',
    id: `${sequence}.${index}`,
    ...record,
    ...compact({ userName: userNameOf(record.userID) }),
  };
}
