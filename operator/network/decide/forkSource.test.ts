import { withoutTexts } from '../../../core/lib/text/withoutTexts.ts';
import { aNetwork, aPod } from '../testing/facts.ts';
import { podStateOf, weakestOf, withoutForkSource } from './podState.ts';

const messages: [string, string, string][] = [
  [
    'the URL as configured',
    'https://m.example/v2/KEY12345',
    'cannot reach https://m.example/v2/KEY12345: no',
  ],
  ['a path without the host', 'https://m.example/v2/KEY12345', 'GET /v2/KEY12345 at m.example failed'],
  ['a query', 'https://m.example/?apikey=KEY12345', 'https://m.example/?apikey=KEY12345 failed'],
  ['a password', 'https://user:KEY12345@m.example/', 'KEY12345 was refused by m.example'],
];

it.each(messages)('hides %s', (_reason, source, message) => {
  const state = withoutForkSource({ phase: 'failed', message }, source);
  expect(state.message).not.toContain('KEY12345');
  expect(state.message).toContain('[fork source]');
  expect(state.phase).toBe('failed');
});

it('keeps URLs that are not the fork source', () => {
  const state = { phase: 'failed', message: 'exit code 1: https://m.example/' } as const;
  expect(withoutForkSource(state, undefined)).toBe(state);
  expect(withoutForkSource(state, 'https://other.example/').message).toBe(state.message);
});

describe('of an output of which the kubelet has kept the end', () => {
  const kept = 2048;
  const source = 'http://forks/forks/Ethereum/ws/u-1/own/THE-TOKEN-OF-THE-FORK-SOURCE';
  const exited = (message: string) =>
    aPod(aNetwork(), {
      phase: 'Running',
      containerStatuses: [
        {
          name: 'rpc',
          ready: false,
          restartCount: 3,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: { exitCode: 1, message } },
        },
      ],
    });
  /** What is kept begins at each character of the source. */
  const outputs = (end: string) =>
    Array.from(source, (_, at) => `${source.slice(at)} ${end}`).map((text) => text.padEnd(kept, '.'));

  it('the line is left out that may begin in the middle of a secret', () => {
    for (const output of outputs('error: refused\nerror: cannot fork')) {
      const { message } = podStateOf(exited(output));
      expect(message).toContain('exited with code 1: error: cannot fork');
    }
  });

  it('what is left of a secret is hidden if there is no other line', () => {
    for (const output of outputs('error: refused')) {
      expect(weakestOf([exited(output)], source).message).not.toMatch(/FORK-SOURCE/);
      const { message } = podStateOf(exited(output));
      expect(withoutTexts(message, [source], '[secret]')).not.toMatch(/FORK-SOURCE/);
    }
  });

  it('all is shown of a short one', () => {
    expect(podStateOf(exited('error: one\nerror: two')).message).toContain('code 1: error: two');
    expect(podStateOf(exited('error: one\nand two')).message).toContain('code 1: error: one and two');
  });
});
