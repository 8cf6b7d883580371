import { SlipwayError } from '../../../sdk/src/error.ts';
import { errorsAt } from './fieldErrors.ts';

const refused = (...paths: string[]) =>
  new SlipwayError('the request is invalid', {
    reason: 'BadRequest',
    details: paths.map((path) => ({ path, message: `wrong ${path}` })),
  });

test('each detail is at the field that its path is about, the longest name first', () => {
  const error = refused('spec.url', 'spec.types[1]', 'spec.selector.matchLabels.team');
  expect(errorsAt(error, ['spec', 'spec.url', 'spec.types', 'spec.selector'])).toEqual({
    at: {
      'spec.url': 'wrong spec.url',
      'spec.types': 'wrong spec.types[1]',
      'spec.selector': 'wrong spec.selector.matchLabels.team',
    },
    error: undefined,
  });
});

test('several details of a field stand together', () => {
  expect(errorsAt(refused('name', 'name'), ['name']).at).toEqual({ name: 'wrong name; wrong name' });
});

test('what no field is about leaves the error, and names that only begin alike are others', () => {
  const error = refused('name', 'names');
  expect(errorsAt(error, ['name'])).toEqual({ at: { name: 'wrong name' }, error });
});

test('a conflict without details is about the name, any other error about no field', () => {
  const taken = new SlipwayError('the name is taken', { reason: 'Conflict' });
  expect(errorsAt(taken, ['name'])).toEqual({ at: { name: 'the name is taken' }, error: undefined });
  const failed = new SlipwayError('no answer', { reason: 'Unreachable' });
  expect(errorsAt(failed, ['name'])).toEqual({ at: {}, error: failed });
});
