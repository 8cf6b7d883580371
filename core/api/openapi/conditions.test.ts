import { type OperationId, operationOf } from '../operations/operations.ts';
import { aSecretInput } from '../testing/builders.ts';
import { conditions } from './conditions.ts';
import { buildOpenApi } from './openapi.ts';

interface Condition {
  anyOf?: Condition[];
  oneOf?: Condition[];
  required?: string[];
  properties?: Record<string, Condition>;
  maxProperties?: number;
  const?: unknown;
}

/** The keywords of JSON Schema that the conditions use. */
function holds(condition: Condition, value: unknown): boolean {
  const members = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const { anyOf, oneOf, required = [], properties = {}, maxProperties = 1_000 } = condition;
  return (
    (anyOf === undefined || anyOf.some((one) => holds(one, value))) &&
    (oneOf === undefined || oneOf.filter((one) => holds(one, value)).length === 1) &&
    (!('const' in condition) || condition.const === value) &&
    required.every((name) => name in members) &&
    Object.entries(properties).every(([name, one]) => !(name in members) || holds(one, members[name])) &&
    Object.keys(members).length <= maxProperties
  );
}

const key = { privateKeyRef: { name: 'k' } };
const created = (chain: object) => ({ name: 'n', spec: { chain } });
const document = { version: 'slipway.replay/v1', networks: {} };
const { name: _, ...unnamed } = aSecretInput();

type Row = [schema: string, what: string, id: OperationId, body: object, part: object];
const chainRow = (what: string, chain: object): Row => [
  'ChainSpec',
  what,
  'createNetwork',
  created(chain),
  chain,
];
const rows: Row[] = [
  chainRow('the member of the type', { type: 'Ethereum', ethereum: key }),
  chainRow('the member of a Layer 2', { type: 'Base', base: {} }),
  chainRow('no member', { type: 'Base' }),
  chainRow('the member of another type', { type: 'Base', ethereum: key }),
  chainRow('two members', { type: 'Base', base: {}, bnb: {} }),
  ...[{ name: 'n' }, { metadata: { name: 'n' } }, { name: 'n', metadata: {} }, {}, { metadata: {} }].flatMap(
    (names): Row[] => {
      const network = { ...names, spec: { chain: { type: 'Base', base: {} } } };
      const secret = { ...unnamed, ...names };
      const what = JSON.stringify(names);
      return [
        ['NetworkCreate', what, 'createNetwork', network, network],
        ['SecretInput', what, 'createSecret', secret, secret],
      ];
    },
  ),
  ...[
    { recordingId: 'r' },
    { replayDocument: document },
    { recordingId: 'r', replayDocument: document },
    {},
  ].map(
    (body): Row => [
      'ReplayRequest',
      Object.keys(body).join(' and ') || 'neither',
      'replayRecording',
      body,
      body,
    ],
  ),
];

it.each(rows)('%s with %s: the document says what the service does', (schema, _what, id, body, part) => {
  const isAccepted = operationOf(id).body?.safeParse(body).success;
  expect(holds(conditions[schema] ?? {}, part)).toBe(isAccepted);
});

it('are in the document, at schemas that exist', () => {
  const { schemas } = buildOpenApi().components as { schemas: Record<string, object> };
  for (const [name, condition] of Object.entries(conditions)) expect(schemas[name]).toMatchObject(condition);
});
