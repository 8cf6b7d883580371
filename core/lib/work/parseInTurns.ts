import { z } from 'zod';
import { countValues } from '../json/countValues.ts';
import { isObject } from '../json/members.ts';
import { parseUntilError } from '../parseUntilError.ts';
import { createPace, type Pace } from './pace.ts';

/** A list with fewer values than this is checked with what it is in. */
const fewValues = 100;
/** So many values are checked within a millisecond. */
const valuesPerTurn = 2_000;

type Parsed<T> = z.ZodSafeParseSuccess<T> | z.ZodSafeParseError<unknown>;

interface LongList {
  path: PropertyKey[];
  element: z.ZodType;
  values: readonly unknown[];
}

/**
 * What `parseUntilError` returns, of an object of any size: the elements of long lists are checked one by one, and others have their
 * turns meanwhile. Rules of the schema over several members see long lists empty. A list that has rules itself is checked as a whole.
 */
export function parseInTurns<T>(schema: z.ZodType<T>, value: unknown): Promise<Parsed<T>> {
  return parseWith(createPace(valuesPerTurn), schema, value);
}

async function parseWith<T>(pace: Pace, schema: z.ZodType<T>, value: unknown): Promise<Parsed<T>> {
  const lists: LongList[] = [];
  const result = parseUntilError(schema, withoutLongLists({ schema, value, path: [] }, lists));
  if (!result.success) return failure([], result.error);
  for (const list of lists) {
    const elements: unknown[] = [];
    for (const [index, one] of list.values.entries()) {
      await pace(countValues(one, valuesPerTurn));
      const parsed = await parseWith(pace, list.element, one);
      if (!parsed.success) return failure([...list.path, index], parsed.error);
      elements.push(parsed.data);
    }
    put(result.data, list.path, elements);
  }
  return result;
}

interface Place {
  schema: z.ZodType | undefined;
  value: unknown;
  path: PropertyKey[];
}

/** The value with its long lists empty; what was in them goes to `lists`. */
function withoutLongLists({ schema, value, path }: Place, lists: LongList[]): unknown {
  if (!isObject(value) || countValues(value, fewValues) < fewValues) return value;
  const expected = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (Array.isArray(value)) {
    const element = path.length > 0 ? elementOf(expected) : undefined;
    if (!element) return value;
    lists.push({ path, element, values: value });
    return [];
  }
  const members = Object.entries(value).map(([key, member]) => {
    const place = { schema: memberOf(expected, key), value: member, path: [...path, key] };
    return [key, withoutLongLists(place, lists)] as const;
  });
  return Object.fromEntries(members);
}

/** Undefined for a list with rules of its own. */
function elementOf(schema: unknown): z.ZodType | undefined {
  if (!(schema instanceof z.ZodArray) || schema.def.checks?.length) return undefined;
  return schema.element instanceof z.ZodType ? schema.element : undefined;
}

function memberOf(schema: unknown, key: string): z.ZodType | undefined {
  if (schema instanceof z.ZodRecord && schema.valueType instanceof z.ZodType) return schema.valueType;
  if (!(schema instanceof z.ZodObject) || !Object.hasOwn(schema.shape, key)) return undefined;
  return schema.shape[key];
}

/** Puts a list where it was taken from: only objects are on the way there. */
function put(data: unknown, [key = '', ...rest]: readonly PropertyKey[], list: readonly unknown[]): void {
  if (!isObject(data)) return;
  if (rest.length > 0) put(Reflect.get(data, key), rest, list);
  else Reflect.set(data, key, list);
}

function failure(path: readonly PropertyKey[], { issues }: z.ZodError): z.ZodSafeParseError<unknown> {
  const placed = issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
  return { success: false, error: new z.ZodError(placed) };
}
