import { type DefaultWorkspace, workspaceIdOf } from '../../../core/accounts/ids.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import type { Metrics } from '../../../core/lib/metrics.ts';
import type { WorkspaceLabel } from '../../../core/storage/metrics.ts';
import type { Controller } from '../../../operator/runtime/controller.ts';
import { type UsageLedger, usageIntervalMs } from '../core/ledger.ts';
import { networkUsageMetricTable } from '../core/metrics.ts';

export interface MeterDeps {
  /** Written once a minute, with what else was added to it. */
  ledger: Pick<UsageLedger, 'add' | 'flush'>;
  metrics: Metrics;
  clock: Clock;
  label: WorkspaceLabel;
  defaultWorkspace: DefaultWorkspace;
  networks: { list(): Iterable<NetworkResource> };
}

/** A process that was suspended did not see what ran meanwhile. */
const longestMs = 2 * usageIntervalMs;

/**
 * Counts how long networks run: once a minute, those that are Operational at that moment have run since the last time.
 * The leader alone counts, so a change of leaders loses at most a minute.
 */
export function createUsageMeter(deps: MeterDeps): Controller {
  const { ledger, clock, networks, metrics, label, defaultWorkspace } = deps;
  const { networkSeconds } = metrics.instruments(networkUsageMetricTable);

  function count(seconds: number): void {
    for (const [namespace, running] of runningByNamespace(networks.list())) {
      ledger.add(namespace, { networkSeconds: running * seconds });
      networkSeconds.inc({ workspace: label(workspaceIdOf(namespace, defaultWorkspace)) }, running * seconds);
    }
  }

  return {
    name: 'usage',
    async run(signal) {
      let countedMs = clock.nowMs();
      while (!signal.aborted) {
        await clock.sleep(usageIntervalMs, signal).catch(() => undefined);
        if (signal.aborted) return;
        const passedMs = Math.min(clock.nowMs() - countedMs, longestMs);
        countedMs = clock.nowMs();
        count(Math.max(0, Math.round(passedMs / 1000)));
        await ledger.flush();
      }
    },
  };
}

function runningByNamespace(networks: Iterable<NetworkResource>): Map<string, number> {
  const running = new Map<string, number>();
  for (const { metadata, status } of networks) {
    if (status?.state !== 'Operational') continue;
    running.set(metadata.namespace, (running.get(metadata.namespace) ?? 0) + 1);
  }
  return running;
}
