import { errorsAt, type FieldErrors, type FieldPlaces } from '../../forms/fieldErrors.ts';

/** Where the form has what a path of the request body is about, the longest path first. */
const places: FieldPlaces = [
  [/^(metadata\.)?name\b/, 'name'],
  [/^metadata\.labels\b/, 'labels'],
  [/^spec\.persistent\b/, 'isPersistent'],
  [/^spec\.(idleAfter|expiresAfter|from)\b/, '$1'],
  [/^spec\.chain\.type\b/, 'type'],
  [/^spec\.chain\.\w+\.privateKeyRef\b/, 'key'],
  [/^spec\.chain\.\w+\.forking\b/, 'forkBlock'],
  [/^spec\.chain\.\w+\.participants(\[\d+\])?\.(elType|clType|count)\b/, '$2'],
  [/^spec\.chain\.\w+\.participants\b/, 'hasClients'],
  [/^spec\.chain\.\w+\.networks\b/, 'members'],
  [
    /^spec\.chain\.\w+\.(chainID|blockTime|gasLimit|history|profile|plugins|accountBalance|bondAmount)\b/,
    '$1',
  ],
];

/** Every error of the API at its field. */
export const errorsOf = (error: unknown): FieldErrors => errorsAt(error, places);
