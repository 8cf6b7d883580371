import { getJson } from '../../e2e/lib/cluster.ts';
import { pause } from './engine.ts';
import { percentile, round } from './report.ts';

const limitMs = 15_000;

/** Waits until a pod waits for a network, if any ever does. */
export async function untilOneWaits(): Promise<void> {
  const endMs = performance.now() + limitMs;
  while (performance.now() < endMs) {
    const { items } = await getJson('pods', '--selector', 'slipway.dev/network=waiting');
    const isReady = ({ status }: { status: { containerStatuses?: { ready: boolean }[] } }) =>
      status.containerStatuses?.[0]?.ready === true;
    if (items.some(isReady)) return;
    await pause();
  }
}

/** Whether a network runs on a pod that waited for it. */
export async function isOnWaitingPod(id: string): Promise<boolean> {
  const { items } = await getJson('pods', '--selector', `slipway.dev/network=${id}`);
  return items.some(
    ({ metadata }: { metadata: { annotations?: Record<string, string> } }) =>
      metadata.annotations?.['slipway.dev/adopted'] !== undefined,
  );
}

export interface Sample {
  ms: number;
  /** Whether the network got a pod that waited. */
  isWarm: boolean;
}

/** Percentiles, and the ratio to the peer's median, of the samples with and without a pod that waited. */
export function compareStarts(samples: readonly Sample[], peerMs: readonly number[]) {
  const of = (isWarm: boolean) => {
    const values = samples.filter((sample) => sample.isWarm === isWarm).map(({ ms }) => ms);
    if (values.length === 0) return { samples: 0 };
    const [p50, p90, p99] = [0.5, 0.9, 0.99].map((part) => percentile(values, part));
    const ratio = round((p50 ?? Number.NaN) / percentile(peerMs, 0.5));
    return {
      samples: values.length,
      ratio,
      p50Ms: round(p50 ?? 0, 0),
      p90Ms: round(p90 ?? 0, 0),
      p99Ms: round(p99 ?? 0, 0),
    };
  };
  return { warm: of(true), cold: of(false) };
}
