import { crashesOf, type ServicePod } from './crashes.ts';

const sinceMs = Date.parse('2031-03-01T12:00:00Z');
const pod = (name: string, terminated?: object): ServicePod =>
  ({
    metadata: { name },
    status: { containerStatuses: [{ name: 'operator', ...(terminated && { lastState: { terminated } }) }] },
  }) as ServicePod;
const during = '2031-03-01T12:00:07Z';

test.each([
  ['an error', { exitCode: 1, reason: 'Error' }, 'Error, exit code 1'],
  ['its memory', { exitCode: 137, reason: 'OOMKilled' }, 'OOMKilled, exit code 137'],
  ['an abort', { exitCode: 134 }, 'exit code 134'],
])('a process that ended by %s is named', (_cause, ended, text) => {
  const pods = [pod('operator-a'), pod('operator-b', { ...ended, finishedAt: during })];
  expect(crashesOf(pods, sinceMs)).toEqual([`operator-b ended at ${during} (operator: ${text})`]);
});

test.each([
  ['was told to end', { exitCode: 0, finishedAt: during }],
  ['was killed by a test', { exitCode: 137, reason: 'Error', finishedAt: during }],
  ['was terminated', { exitCode: 143, finishedAt: during }],
  ['ended before', { exitCode: 1, finishedAt: '2031-03-01T11:59:59Z' }],
])('one that %s is not', (_cause, ended) => {
  expect(crashesOf([pod('operator', ended)], sinceMs)).toEqual([]);
});
