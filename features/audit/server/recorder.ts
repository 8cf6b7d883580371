import { type Background, createBackground } from '../../../apiserver/background.ts';
import type { AuditedRequest } from '../../../apiserver/http/auth/audit.ts';
import { currentSource } from '../../../apiserver/http/limits/source.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { type Clock, toRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { isAppError, messageOf } from '../../../core/lib/errors.ts';
import type { Log } from '../../../core/lib/log.ts';
import type { Metrics } from '../../../core/lib/metrics.ts';
import { inParallel } from '../../../core/lib/work/inParallel.ts';
import { workEvery } from '../../../core/lib/work/workEvery.ts';
import type { AuditRecord } from '../api/audit.ts';
import { createAuditBuffer } from './buffer.ts';
import { createAppendRecords } from './chunks.ts';
import { compactAudit } from './compact.ts';
import { auditMetricTable } from './metrics.ts';

const auditIntervalMs = 2_000;
/** Namespaces that are written at the same time. */
const parallelWrites = 4;

export interface AuditRecorderDeps {
  kube: Pick<Kube, 'get' | 'list' | 'create' | 'replace' | 'delete'>;
  /** The name of an API key, if it is known without asking the cluster. */
  keyNameOf(keyId: string): string | undefined;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** Keeps what callers did for the audit lists of their workspaces. */
export interface AuditRecorder {
  /** Takes the request and writes it later. Never throws, and nobody waits for it. */
  note(request: AuditedRequest): void;
  /** Writes what waits. Never rejects. */
  flush(): Promise<void>;
  step: Background;
}

/** A process that is killed loses what it did not write yet, which is that of two seconds; the log has it. */
export function createAuditRecorder({
  kube,
  keyNameOf,
  clock,
  log,
  metrics,
}: AuditRecorderDeps): AuditRecorder {
  const buffer = createAuditBuffer();
  const append = createAppendRecords(kube);
  const { entries } = metrics.instruments(auditMetricTable);
  const dropped = (count: number) => entries.inc({ outcome: 'dropped' }, count);

  async function write(namespace: string, records: AuditRecord[]): Promise<void> {
    try {
      const isDue = await append(namespace, records);
      entries.inc({ outcome: 'stored' }, records.length);
      if (isDue) await makeRoom(kube, log, namespace);
    } catch (error) {
      // A namespace that is deleted takes its audit list along.
      const isGone = isAppError(error, 'NotFound') || isAppError(error, 'Forbidden');
      if (isGone) return dropped(records.length);
      dropped(buffer.putBack(namespace, records));
      log.warn('cannot store the audit list; will retry', { namespace, reason: messageOf(error) });
    }
  }

  async function flush(): Promise<void> {
    await inParallel(buffer.take(), parallelWrites, ([namespace, records]) => write(namespace, records));
  }

  return {
    note({ operationId, principal, requestId, outcome, objects }) {
      if (!principal) return;
      const { userId, keyId, sessionId, namespace } = principal;
      const apiKeyName = keyId === undefined ? undefined : keyNameOf(keyId);
      const count = buffer.add(namespace, {
        at: toRfc3339(clock.nowMs()),
        userID: userId,
        ...compact({ apiKeyID: keyId, apiKeyName, sessionID: sessionId }),
        action: operationId,
        objects,
        outcome,
        requestID: requestId,
        count: 1,
        ...compact({ source: currentSource() || undefined }),
      });
      if (count > 0) dropped(count);
    },
    flush,
    step: createBackground((signal) => workEvery({ clock, intervalMs: auditIntervalMs, signal }, flush)),
  };
}

async function makeRoom(kube: AuditRecorderDeps['kube'], log: Log, namespace: string): Promise<void> {
  try {
    await compactAudit(kube, namespace);
  } catch (error) {
    // Another replica does the same.
    if (isAppError(error, 'Conflict')) return;
    log.warn('cannot remove old audit entries; will retry', { namespace, reason: messageOf(error) });
  }
}
