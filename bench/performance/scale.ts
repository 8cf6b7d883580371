import type { Facts } from '../lib/facts.ts';
import type { SizeResult } from '../scale/measure.ts';
import type { Chart } from './svg.ts';

export interface ScaleReport {
  facts: Facts;
  workspaces: number;
  transactions: number;
  recordings: number;
  tolerance: number;
  results: SizeResult[];
  worseThanLinear: string[];
}

const number = (value: number) => value.toLocaleString('en-US');

/** What is shown of each size. */
const rows: [string, (one: SizeResult) => string][] = [
  [
    'heap for each network, operator and API server, bytes',
    ({ bytesPerNetwork: { operator, apiserver } }) => `${number(operator)}, ${number(apiserver)}`,
  ],
  [
    'memory of the process (RSS), operator and API server, MiB',
    ({ rssMiB: { operator, apiserver } }) => `${operator}, ${apiserver}`,
  ],
  ['new networks until all are Operational, ms each', ({ start }) => String(start.msPerNetwork)],
  [
    'of which CPU of the operator and of kube-apiserver, ms each',
    ({ start }) => `${start.operatorCpuMs}, ${start.kubeCpuMs}`,
  ],
  ["from the operator's start until all are reconciled, s", ({ restart }) => String(restart.seconds)],
  [
    'from a ready pod to the status, p50 and p99, ms',
    ({ toStatus }) => `${toStatus.p50Ms}, ${toStatus.p99Ms}`,
  ],
  ['list of 50, p50 and p99, ms', ({ rest: { list } }) => `${list.p50Ms}, ${list.p99Ms}`],
  ['get, p50 and p99, ms', ({ rest: { get } }) => `${get.p50Ms}, ${get.p99Ms}`],
  [
    'CPU while nothing happens, operator and API server, %',
    ({ idle: { cpuPercent } }) => `${cpuPercent.operator}, ${cpuPercent.apiserver}`,
  ],
  ['etcd, MiB', ({ etcdMiB }) => String(etcdMiB)],
];

/** The cells of the table: a row for each value, a column for each size. */
export function scaleCells({ results }: ScaleReport): { head: string[]; rows: string[][] } {
  return {
    head: ['what', ...results.map(({ networks }) => `${number(networks)} networks`)],
    rows: rows.map(([name, textOf]) => [name, ...results.map(textOf)]),
  };
}

const shares: [string, (one: SizeResult) => number][] = [
  ['heap of the operator for each', ({ bytesPerNetwork }) => bytesPerNetwork.operator],
  ['heap of the API server for each', ({ bytesPerNetwork }) => bytesPerNetwork.apiserver],
  ['time to create each', ({ start }) => start.msPerNetwork],
  ['time to reconcile each after a restart', ({ restart }) => restart.msPerNetwork],
];

/** Each value for one network, compared with the smallest size. */
export function scaleChart({ results, tolerance }: ScaleReport): Chart {
  const [least] = results;
  return {
    title: 'What one network costs among many',
    note: `Compared with the smallest size, which is 1. The line is ${tolerance}: above it, the cost grows faster than the number.`,
    groups: shares.map(([name, shareOf]) => ({
      name,
      bars: results.map((one) => {
        const value = least ? Number((shareOf(one) / shareOf(least)).toFixed(2)) : Number.NaN;
        const tone = value <= tolerance ? 'good' : 'bad';
        return {
          label: `${number(one.networks)} networks`,
          value,
          text: String(value),
          mark: tolerance,
          tone,
        };
      }),
    })),
  };
}
