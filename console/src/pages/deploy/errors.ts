import type { FieldPlaces } from '../../forms/fieldErrors.ts';

/** Where the form has what a path of the request body is about. */
export const places: FieldPlaces = [
  [/^metadata\.labels\b/, 'labels'],
  [/^(?:deployments\[\d+\]\.)?args\.(\w+)/, '$1'],
  [/^(?:deployments|networks)\b/, 'networks'],
  [/^spec\.(\w+)/, '$1'],
  [/^(name|symbol|decimals)\b/, '$1'],
];
