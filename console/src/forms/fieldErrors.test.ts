import { SlipwayError } from '../../../sdk/src/error.ts';
import { errorsAt, placesNamed, withOwn } from './fieldErrors.ts';

const refused = (...paths: string[]) =>
  new SlipwayError('the request is invalid', {
    reason: 'BadRequest',
    details: paths.map((path) => ({ path, message: `wrong ${path}` })),
  });

test('each detail is at the field that its path is about, the longest name first', () => {
  const error = refused('spec.url', 'spec.types[1]', 'spec.selector.matchLabels.team');
  expect(errorsAt(error, placesNamed(['spec', 'spec.url', 'spec.types', 'spec.selector']))).toEqual({
    at: {
      'spec.url': 'wrong spec.url',
      'spec.types': 'wrong spec.types[1]',
      'spec.selector': 'wrong spec.selector.matchLabels.team',
    },
    rest: [],
    error: undefined,
  });
});

test('several details of a field stand together, each once', () => {
  const error = refused('labels.a', 'labels.b', 'labels.a');
  expect(errorsAt(error, placesNamed(['labels'])).at).toEqual({ labels: 'wrong labels.a; wrong labels.b' });
});

test('what no field is about leaves the error, and names that only begin alike are others', () => {
  const error = refused('name', 'names');
  expect(errorsAt(error, placesNamed(['name']))).toEqual({
    at: { name: 'wrong name' },
    rest: ['names: wrong names'],
    error,
  });
});

test('what the form says of a field is said in place of what the service says', () => {
  const errors = errorsAt(refused('name', 'labels'), placesNamed(['name', 'labels']));
  const own = { labels: 'Write each label as key=value.' };
  expect(withOwn(errors, own).at).toEqual({ name: 'wrong name', ...own });
});

test('a conflict without details is about the name, any other error about no field', () => {
  const taken = new SlipwayError('the name is taken', { reason: 'Conflict' });
  const places = placesNamed(['name']);
  expect(errorsAt(taken, places, 'name')).toEqual({
    at: { name: 'the name is taken' },
    rest: [],
    error: undefined,
  });
  const failed = new SlipwayError('no answer', { reason: 'Unreachable' });
  expect(errorsAt(failed, places, 'name')).toEqual({ at: {}, rest: ['no answer'], error: failed });
});
