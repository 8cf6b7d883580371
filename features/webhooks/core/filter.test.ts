import { wants } from './filter.ts';

const url = 'https://example.com/';
const event = { type: 'network.operational', labels: { team: 'a', tier: 'dev' } };

it.each([
  ['no filter', {}, true],
  ['everything', { types: ['*'] }, true],
  ['its type', { types: ['token.deployed', 'network.operational'] }, true],
  ['its kind', { types: ['network.*'] }, true],
  ['another type', { types: ['network.stopped'] }, false],
  ['another kind with the same beginning', { types: ['net.*'] }, false],
  ['a label', { selector: { matchLabels: { team: 'a' } } }, true],
  ['all labels', { selector: { matchLabels: { team: 'a', tier: 'dev' } } }, true],
  ['another value', { selector: { matchLabels: { team: 'b' } } }, false],
  ['one label too many', { selector: { matchLabels: { team: 'a', app: 'x' } } }, false],
  ['its type and another label', { types: ['network.*'], selector: { matchLabels: { team: 'b' } } }, false],
])('a webhook with %s', (_name, spec, isWanted) => {
  expect(wants({ url, ...spec }, event)).toBe(isWanted);
});

it('an object without labels matches no selector', () => {
  const spec = { url, selector: { matchLabels: { team: 'a' } } };
  expect(wants(spec, { type: 'network.error', labels: undefined })).toBe(false);
});
