import { matches, parseSelector } from './selector.ts';

/** What the API selects objects of a kind by. */
export interface Selectable<T> {
  fields: Readonly<Record<string, (object: T) => string | undefined>>;
  /** Absent where objects have no labels. */
  labelsOf?: (object: T) => Readonly<Record<string, string>> | undefined;
}

const labelPrefix = 'metadata.labels.';

/** Whether the text is a selector whose fields the API knows; no text is one. */
export function isSelectorFor<T>({ fields, labelsOf }: Selectable<T>, text: string | undefined): boolean {
  if (text === undefined || text.trim() === '') return true;
  const isKnown = (field: string) => field in fields || (labelsOf && field.startsWith(labelPrefix)) || false;
  return parseSelector(text)?.every(({ field }) => isKnown(field)) ?? false;
}

/** The objects that a selector selects. An invalid selector selects nothing. */
export function selected<T>(
  objects: Iterable<T>,
  selectable: Selectable<T>,
  selector: string | undefined,
): T[] {
  if (!isSelectorFor(selectable, selector)) return [];
  const clauses = parseSelector(selector ?? '') ?? [];
  const read = (object: T) => (field: string) =>
    field.startsWith(labelPrefix)
      ? selectable.labelsOf?.(object)?.[field.slice(labelPrefix.length)]
      : selectable.fields[field]?.(object);
  return [...objects].filter((object) => matches(clauses, read(object)));
}
