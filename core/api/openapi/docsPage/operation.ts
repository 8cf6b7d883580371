import type { FieldRow } from '../fieldRows.ts';
import type { OperationEntry, SchemaEntry, ValueEntry } from '../reference.ts';
import { cliOf, curlOf, sdkOf } from './examples.ts';
import { el, type Html, text } from './html.ts';

/** One operation: on the left what it is, on the right how to call it, from here too. */
export function operationHtml(entry: OperationEntry, schemas: ReadonlyMap<string, SchemaEntry>): Html {
  const { id, method, path, summary } = entry;
  return el('details', { id, class: 'entry' }, [
    el('summary', {}, [
      el('b', { class: method.toLowerCase() }, [text(method)]),
      el('code', {}, [text(path)]),
      el('span', {}, [text(summary)]),
    ]),
    el('div', { class: 'body' }, [
      el('div', { class: 'text' }, descriptionOf(entry, schemas)),
      el('div', { class: 'code' }, [...examplesOf(entry), tryOf(entry)]),
    ]),
  ]);
}

function descriptionOf(entry: OperationEntry, schemas: ReadonlyMap<string, SchemaEntry>): Html[] {
  const { description, permission, selectable, parameters, body, success, errors } = entry;
  return [
    ...(description ? [el('p', {}, [text(description)])] : []),
    fact('Permission', [text(permission === '' ? 'none: public' : permission)]),
    ...(selectable.length > 0 ? [fact('Selectable', [text(selectable.join(', '))])] : []),
    ...(parameters.length > 0 ? [heading('Parameters')] : []),
    ...table(['Parameter', 'In', 'Type', ''], parameters.map(parameterCells)),
    ...(body ? [heading('Body'), ...bodyOf(body, schemas)] : []),
    heading('Answer'),
    fact(String(success.status), [
      ...(success.value ? [value(success.value), text(' ')] : []),
      text(success.description),
    ]),
    heading('Errors'),
    ...table(
      ['Status', 'Reason', 'When'],
      errors.map(({ status, reason, meaning }) => [text(String(status)), text(reason), text(meaning)]),
    ),
  ];
}

/** The type of the body, and its fields behind a line. */
function bodyOf(
  body: NonNullable<OperationEntry['body']>,
  schemas: ReadonlyMap<string, SchemaEntry>,
): Html[] {
  const rows = schemas.get(body.schemaName ?? '')?.rows ?? [];
  const type = fact('Type', [value(body), text(`, at most ${body.limitMiB} MiB of JSON`)]);
  if (rows.length === 0) return [type];
  const summary = el('summary', {}, [text(rows.length === 1 ? '1 field' : `${rows.length} fields`)]);
  return [type, el('details', { class: 'nested' }, [summary, ...fieldTable(rows)])];
}

export function fieldTable(rows: readonly FieldRow[]): Html[] {
  return table(['Field', 'Type', 'Required', ''], rows.map(fieldCells));
}

function examplesOf(entry: OperationEntry): Html[] {
  const languages = { curl: curlOf(entry), cli: cliOf(entry), sdk: sdkOf(entry) };
  return Object.entries(languages).map(([name, code]) =>
    el('div', { class: `example copyable ${name}` }, [el('pre', {}, [text(code)])]),
  );
}

/** The data from which the page builds a form when the operation is opened. */
function tryOf({ method, path, parameters, body }: OperationEntry): Html {
  const fields = parameters.map(({ path: name, place, description }) => ({ name, place, hint: description }));
  const example = JSON.stringify(body?.example ?? {}, null, 2);
  return el(
    'div',
    { class: 'tryit', 'data-method': method, 'data-path': path, 'data-parameters': JSON.stringify(fields) },
    [heading('Try it'), ...(body ? [el('template', {}, [text(example)])] : [])],
  );
}

function fieldCells(row: FieldRow): Html[] {
  return [
    el('code', {}, [text(row.path)]),
    value(row),
    text(row.isRequired ? 'yes' : ''),
    text(row.description),
  ];
}

function parameterCells(row: OperationEntry['parameters'][number]): Html[] {
  return [el('code', {}, [text(row.path)]), text(row.place), value(row), text(row.description)];
}

/** What is wider than a phone scrolls by itself, also by keyboard. */
function table(heads: string[], rows: Html[][]): Html[] {
  if (rows.length === 0) return [];
  const cells = (name: string, row: readonly Html[]) =>
    el(
      'tr',
      {},
      row.map((cell) => el(name, {}, [cell])),
    );
  const head = cells(
    'th',
    heads.map((one) => text(one)),
  );
  const body = rows.map((row) => cells('td', row));
  return [el('div', { class: 'scroll', tabindex: '0' }, [el('table', {}, [head, ...body])])];
}

const heading = (name: string) => el('h3', {}, [text(name)]);

function fact(name: string, content: Html[]): Html {
  return el('p', { class: 'fact' }, [el('b', {}, [text(name)]), text(' '), ...content]);
}

function value({ type, schemaName }: ValueEntry): Html {
  return schemaName === undefined ? text(type) : el('a', { href: `#schema-${schemaName}` }, [text(type)]);
}
