import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { goals as realGoals, peers as realPeers } from '../real/goals.ts';

const results = join(import.meta.dirname, '..', 'results');

/** One number of the results, with its peer and its goal. */
export interface Goal {
  work: string;
  peer: string;
  value: number;
  goal: number;
  /** Whether the value may be at most the goal, or has to be at least the goal. */
  is: 'atMost' | 'atLeast';
  result: string;
  date: string;
}

// biome-ignore lint/suspicious/noExplicitAny: results are JSON of many forms, which change with their benchmarks.
type Result = any;

function read(name: string, folder = results): Result {
  const file = join(folder, `${name}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** The day that the result states, or that of the commit with it. */
function dateOf(name: string, result: Result): string {
  if (result.facts) return result.facts.date;
  const file = join(results, `${name}.json`);
  return execFileSync('git', ['log', '-1', '--format=%as', '--', file], { encoding: 'utf8' }).trim();
}

type Row = Omit<Goal, 'date' | 'result' | 'value'> & {
  result: string;
  ratioOf(result: Result): number | undefined;
};

const rows: Row[] = [
  {
    work: 'create a network, until its first answer',
    peer: 'kubectl run of the same image',
    result: 'start',
    is: 'atMost',
    goal: 0.15,
    ratioOf: ({ ratio }) => ratio,
  },
  {
    work: 'first call to a stopped network',
    peer: 'kubectl run of the same image',
    result: 'wake',
    is: 'atMost',
    goal: 0.15,
    ratioOf: ({ ratio }) => ratio,
  },
  {
    work: 'gateway: HTTP calls per CPU second, 16 connections',
    peer: 'nginx, same node',
    result: 'gateway',
    is: 'atLeast',
    goal: 0.5,
    ratioOf: costRatio('HTTP call'),
  },
  {
    work: 'gateway: WebSocket messages per CPU second, 16 connections',
    peer: 'HTTP calls of the gateway',
    result: 'gateway',
    is: 'atLeast',
    goal: 1,
    ratioOf: messagesAgainstCalls,
  },
  {
    work: 'creates per second, 16 in flight',
    peer: 'raw kube-apiserver',
    result: 'creates',
    is: 'atLeast',
    goal: 0.85,
    ratioOf: (result) => result.rows.find(({ inFlight }: Result) => inFlight === 16).ratio,
  },
  {
    work: 'list, first page of 50',
    peer: 'raw list',
    result: 'lists',
    is: 'atMost',
    goal: 0.5,
    ratioOf: (result) => result.rows[0].pages[0].ratio,
  },
  {
    work: 'list, first 50 of 10,000',
    peer: 'raw list',
    result: 'lists',
    is: 'atMost',
    goal: 0.5,
    ratioOf: (result) => result.large?.quiet.ratio,
  },
  {
    work: 'list, all pages of 500',
    peer: 'raw list',
    result: 'lists',
    is: 'atMost',
    goal: 0.5,
    ratioOf: (result) => result.rows[0].walk.ratio,
  },
  {
    work: 'reconcile networks',
    peer: 'bare create loop of the same objects',
    result: 'reconcile',
    is: 'atLeast',
    goal: 0.8,
    ratioOf: ({ ratio }) => ratio,
  },
  {
    work: 'submit one transaction',
    peer: 'raw send and one etcd write of its size',
    result: 'submit',
    is: 'atMost',
    goal: 1.3,
    ratioOf: ({ single }) => single?.ratio,
  },
  {
    work: 'submit 100 transactions',
    peer: 'raw send, same signer',
    result: 'submit',
    is: 'atLeast',
    goal: 0.9,
    ratioOf: submitRatio('batches of 100, one after the other'),
  },
  {
    work: 'replay 10,000 transactions',
    peer: 'raw send, same signer',
    result: 'replay',
    is: 'atLeast',
    goal: 0.9,
    ratioOf: ({ ratio }) => ratio,
  },
  {
    work: 'deploy a token on 16 networks',
    peer: 'the same steps, raw',
    result: 'tokens',
    is: 'atLeast',
    goal: 0.8,
    ratioOf: (result) => result.rows.find(({ networks }: Result) => networks === 16).ratio,
  },
  ...Object.entries(realGoals).map(([work, goal]): Row => {
    const peer = realPeers[work] ?? 'plain anvil';
    const ratioOf = ({ rows }: Result) => rows.find((row: Result) => row.work === work)?.ratio;
    return { work, peer, result: 'real', is: 'atMost', goal, ratioOf };
  }),
];

function costRatio(name: string): Row['ratioOf'] {
  return ({ costs }) => costs.find((row: Result) => row.name === name && row.connections === 16).ratio;
}

function messagesAgainstCalls({ costs }: Result): number {
  const [call, message] = ['HTTP call', 'WebSocket message'].map(
    (name) =>
      costs.find((row: Result) => row.name === name && row.connections === 16).proxies.gateway.cpuMicros,
  );
  return Number((call / message).toFixed(2));
}

function submitRatio(name: string): Row['ratioOf'] {
  return (result) => result.rows.find((row: Result) => row.name === name).ratio;
}

/** The goals whose results exist: those of bench/results, or of another folder. */
export function goalsNow(folder = results): Goal[] {
  return rows.flatMap(({ ratioOf, ...row }) => {
    const result = read(row.result, folder);
    const value = result && ratioOf(result);
    return value === undefined ? [] : [{ ...row, value, date: dateOf(row.result, result) }];
  });
}

export function isMet({ value, goal, is }: Goal): boolean {
  return is === 'atMost' ? value <= goal : value >= goal;
}

export { read as readResult };
