import { parseJson } from '../../../apiserver/http/pipeline/json.ts';
import { parseSubmission, submissionLimits } from './submission.ts';

const given = (sources: object) => ({
  stdJsonInput: { language: 'Solidity', sources, settings: {} },
  compilerVersion: 'v0.8.28+commit.7893614a',
  contractIdentifier: 'f0:A',
});
const named = (count: number, source: unknown, name = 'f') =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, source]));
const read = (submission: object) => {
  const bytes = Buffer.from(JSON.stringify(submission));
  return parseSubmission(parseJson(bytes, { ...submissionLimits, take: () => undefined }).value);
};

it('reads a submission with as many sources as it may have', () => {
  const sources = named(submissionLimits.maxMembers, { content: 'x' });
  expect(read(given(sources))).toMatchObject({ path: 'f0', name: 'A', compiler: '0.8.28+commit.7893614a' });
});

it.each([
  ['right ones', { content: 'x' }],
  ['wrong ones', {}],
  ['no objects', 0],
])('does not look at too many sources: %s', (_what, source) => {
  expect(() => read(given(named(submissionLimits.maxMembers + 1, source)))).toThrow(
    'the body is invalid: stdJsonInput.sources has more than 2000 members',
  );
});

it.each([
  ['a source', named(3, {}), 'stdJsonInput.sources.f0.content: the content of each source is needed'],
  ['a name', named(3, {}, 'n'.repeat(1100)), /^stdJsonInput.sources.n{1100}0: /],
])('names the first error, of %s', (_what, sources, message) => {
  expect(() => read(given(sources))).toThrow(message);
});

it('stops at the first error of a list', () => {
  const wrong = { ...given({ f0: { content: 'x' } }), compilerVersion: 1, contractIdentifier: 2 };
  expect(() => read(wrong)).toThrow(/^compilerVersion: /);
});
