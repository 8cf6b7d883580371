import { type Background, createBackground } from '../../../apiserver/background.ts';
import type { Installation } from '../../../core/api/installation.ts';
import type { Metrics } from '../../../core/lib/metrics.ts';
import type { TrafficCounter } from '../../../core/networks/traffic.ts';
import { createWorkspaceLabel } from '../../../core/storage/metrics.ts';
import { createUsageLedger, type UsageLedger, type UsageLedgerDeps } from '../core/ledger.ts';
import { createCallMetrics, createTransactionMetrics } from '../core/metrics.ts';

/** Counts what callers of this replica use. */
export interface UsageCounting extends TrafficCounter {
  pendingOf: UsageLedger['pendingOf'];
  flush: UsageLedger['flush'];
  /** Writes the counts while the process runs. */
  step: Background;
}

interface CountingDeps extends UsageLedgerDeps {
  metrics: Metrics;
  installation: Pick<Installation, 'defaultWorkspace' | 'monitoring'>;
}

/** The counts of this replica: as metrics, and in the records of the workspaces. */
export function createUsageCounting(deps: CountingDeps): UsageCounting {
  const { monitoring, defaultWorkspace } = deps.installation;
  const ledger = createUsageLedger(deps);
  const label = createWorkspaceLabel(monitoring.workspaceLabels);
  const options = { metrics: deps.metrics, label, defaultWorkspace };
  const countCalls = createCallMetrics(options);
  const countTransactions = createTransactionMetrics(options);
  return {
    rpcCalls(namespace, count) {
      ledger.add(namespace, { rpcCalls: count });
      countCalls(namespace, count);
    },
    transactions(namespace, count) {
      ledger.add(namespace, { transactions: count });
      countTransactions(namespace, count);
    },
    pendingOf: ledger.pendingOf,
    flush: ledger.flush,
    step: createBackground(ledger.run),
  };
}
