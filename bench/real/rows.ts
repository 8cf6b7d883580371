import { percentile, round } from '../lib/report.ts';
import { measureBothMs } from '../lib/timing.ts';
import { goals, peers } from './goals.ts';

type Work = () => Promise<unknown>;

/** The durations of some work and of its peer, in milliseconds: one of each for every round. */
export interface Samples {
  own: number[];
  peer: number[];
}

/** The result of one kind of work. */
export interface Row {
  work: string;
  peer: string;
  ms: number;
  peerMs: number;
  ratio: number;
  goal: number | undefined;
  p95Ms: number;
  rounds: number;
}

/** Does both in turn, and the other one first in every second round. */
export async function measureRounds(rounds: number, own: Work, peer: Work): Promise<Samples> {
  const samples: Samples = { own: [], peer: [] };
  for (let index = 0; index < rounds; index += 1) {
    const [ownMs, peerMs] = await measureBothMs(index, own, peer);
    samples.own.push(ownMs);
    samples.peer.push(peerMs);
  }
  return samples;
}

/** The medians of some work and of its peer, and their ratio. */
export function rowOf(work: string, { own, peer }: Samples): Row {
  const [ms, peerMs] = [percentile(own, 0.5), percentile(peer, 0.5)];
  const row = {
    work,
    peer: peers[work] ?? 'plain anvil',
    ms: round(ms),
    peerMs: round(peerMs),
    ratio: round(ms / peerMs),
    goal: goals[work],
    p95Ms: round(percentile(own, 0.95)),
    rounds: own.length,
  };
  console.log(JSON.stringify(row));
  return row;
}
