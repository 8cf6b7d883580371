import type { z } from 'zod';
import { exampleAccount } from './openapi/exampleValues.ts';
import { type Operation, operations } from './operations/operations.ts';
import { addressSchema, zeroAddress } from './values.ts';

/** The last letter in the other case. */
const mistyped = exampleAccount.replace(/C8$/, 'c8');

/** Every schema of a text in a schema, by its place. */
function* textsIn(schema: unknown, path = ''): Generator<[string, z.ZodType]> {
  const { def } = (schema as z.ZodType)._zod as unknown as { def: Record<string, unknown> };
  if (def.type === 'string') yield [path, schema as z.ZodType];
  for (const [name, part] of Object.entries((def.shape as object) ?? {}))
    yield* textsIn(part, `${path}.${name}`);
  for (const member of ['element', 'innerType', 'in', 'out', 'valueType']) {
    if (def[member]) yield* textsIn(def[member], path);
  }
  for (const option of (def.options as unknown[]) ?? []) yield* textsIn(option, path);
}

const takesOnlyAddresses = (schema: z.ZodType) =>
  schema.safeParse(exampleAccount).success &&
  ![`${exampleAccount}00`, '0x00', 'z'.repeat(42)].some((text) => schema.safeParse(text).success);

const all: [string, Operation][] = Object.entries(operations);
/** Every address in the body of a request. */
const inputs = all.flatMap(([name, { body }]) =>
  body
    ? [...textsIn(body)].flatMap(([path, schema]): [string, z.ZodType][] =>
        takesOnlyAddresses(schema) ? [[`${name}${path}`, schema]] : [],
      )
    : [],
);

/** Where a wrong checksum harms nobody. */
const lenient = new Map([
  ['readChain.contracts', 'a look-up'],
  ['replayRecording.replayDocument.networks.transactions.contract_address', 'found in data, never sent to'],
  ['replayRecording.replayDocument.networks.transactions.created_contracts', 'found in data, never sent to'],
]);
/** Where the zero address means something. */
const zeroAllowed = new Map([
  ['submitTransactions.transactions_by_network.to', 'burns'],
  [
    'submitTransactions.transactions_by_network.from',
    'is never the key of the caller, which the answer says',
  ],
  ['replayRecording.replayDocument.networks.transactions.from', 'recorded'],
  ['replayRecording.replayDocument.networks.transactions.to', 'burns'],
  ['replayRecording.replayDocument.networks.transactions.access_list.address', 'recorded'],
  [
    'replayRecording.replayDocument.networks.transactions.authorizations.address',
    'ends a delegation (EIP-7702)',
  ],
  ['deployErc3643.deployments.args.compliance_registry', 'new ones are deployed'],
]);

it('finds the addresses in requests', () => {
  const found = inputs.map(([place]) => place);
  expect(found).toEqual(expect.arrayContaining([...zeroAllowed.keys(), ...lenient.keys()]));
  expect(found).toEqual(
    expect.arrayContaining(['requestFunds.address', 'deployErc20.deployments.args.owner']),
  );
});

it.each(inputs.filter(([place]) => !lenient.has(place)))(
  '%s with a wrong checksum is refused',
  (_place, schema) => {
    expect(schema.safeParse(mistyped).error?.issues[0]?.message).toMatch(/wrong checksum \(EIP-55\)/);
    expect(schema.safeParse(exampleAccount.toLowerCase()).success).toBe(true);
  },
);

it.each(inputs)('%s may be the zero address only where that means something', (place, schema) => {
  const isAllowed = zeroAllowed.has(place) || lenient.has(place);
  expect(schema.safeParse(zeroAddress).success).toBe(isAllowed);
});

it('filters of lists take any spelling', () => {
  expect(addressSchema.safeParse(mistyped).success).toBe(true);
  expect(operations.listRecordings.query.safeParse({ userAddress: mistyped }).success).toBe(true);
});
