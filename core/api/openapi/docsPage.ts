import { createHash } from 'node:crypto';
import { pageScript, pageStyle } from './docsPage/assets.ts';
import { curlOf } from './docsPage/curl.ts';
import { el, type Html, joinHtml, render, text } from './docsPage/html.ts';
import type { FieldRow } from './fieldRows.ts';
import { buildReference, type OperationEntry, type SchemaEntry, type ValueEntry } from './reference.ts';

/** The page at /docs and the Content-Security-Policy that it needs. It loads nothing from other hosts. */
export interface DocsPage {
  html: string;
  contentSecurityPolicy: string;
}

/** The contract as one self-contained HTML page. Pure: build it once and keep it. */
export function buildDocsPage(): DocsPage {
  const { groups, schemas } = buildReference();
  const body = joinHtml([
    el('header', {}, [
      el('h1', {}, [text('Slipway API')]),
      el('p', {}, [text('The same contract as OpenAPI 3.1: '), link('openapi.json', 'openapi.json')]),
      el('input', { id: 'filter', type: 'search', placeholder: 'Filter', 'aria-label': 'Filter' }, []),
    ]),
    el('main', {}, [
      credentials(),
      ...groups.map(({ name, description, operations }) =>
        section(name, description, operations.map(operationHtml)),
      ),
      section('Objects', 'The objects in requests and responses.', schemas.map(schemaHtml)),
    ]),
  ]);
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Slipway API</title><style>${pageStyle}</style></head>
<body>${render(body)}<script>${pageScript}</script></body></html>
`;
  const sources = [`style-src ${hashSource(pageStyle)}`, `script-src ${hashSource(pageScript)}`];
  return { html, contentSecurityPolicy: ["default-src 'none'", "base-uri 'none'", ...sources].join('; ') };
}

function hashSource(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

function section(name: string, description: string, entries: Html[]): Html {
  return el('section', {}, [el('h2', {}, [text(name)]), el('p', {}, [text(description)]), ...entries]);
}

/** How a reader gets from the page to a first answer. */
function credentials(): Html {
  return el('section', {}, [
    el('h2', {}, [text('Credentials')]),
    el('p', {}, [
      text('Send an API token with each request, as "Authorization: Bearer <token>". '),
      text('make up writes the first one to .slipway/env; '),
      link('#createApiKey', 'createApiKey'),
      text(' makes others. The examples read the address and the token from the environment:'),
    ]),
    el('pre', {}, [text('. .slipway/env   # SLIPWAY_URL, SLIPWAY_API_TOKEN')]),
  ]);
}

function operationHtml(entry: OperationEntry): Html {
  const { id, method, path, summary, description, permission, body, success } = entry;
  return el('details', { id }, [
    el('summary', {}, [
      el('b', { class: method.toLowerCase() }, [text(method)]),
      el('code', {}, [text(path)]),
      el('span', {}, [text(summary)]),
    ]),
    ...(description ? [el('p', {}, [text(description)])] : []),
    fact('Permission', [text(permission === '' ? 'none: public' : permission)]),
    ...(entry.selectable.length > 0 ? [fact('Selectable', [text(entry.selectable.join(', '))])] : []),
    ...table(['Parameter', 'In', 'Type', ''], entry.parameters.map(parameterCells)),
    ...(body ? [fact('Body', [value(body), text(`, at most ${body.limitMiB} MiB`)])] : []),
    ...(body?.example ? [el('pre', {}, [text(JSON.stringify(body.example, null, 2))])] : []),
    el('pre', {}, [text(curlOf(entry))]),
    fact(String(success.status), [
      ...(success.value ? [value(success.value), text(' ')] : []),
      text(success.description),
    ]),
    fact('Errors', [text(entry.errors.map(({ status, reason }) => `${status} ${reason}`).join(', '))]),
  ]);
}

function schemaHtml({ name, description, rows }: SchemaEntry): Html {
  return el('details', { id: `schema-${name}` }, [
    el('summary', {}, [el('code', {}, [text(name)]), el('span', {}, [text(description)])]),
    ...table(['Field', 'Type', 'Required', ''], rows.map(fieldCells)),
  ]);
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

function table(heads: string[], rows: Html[][]): Html[] {
  if (rows.length === 0) return [];
  const head = el(
    'tr',
    {},
    heads.map((cell) => el('th', {}, [text(cell)])),
  );
  const body = rows.map((cells) =>
    el(
      'tr',
      {},
      cells.map((cell) => el('td', {}, [cell])),
    ),
  );
  return [el('table', {}, [head, ...body])];
}

function fact(name: string, content: Html[]): Html {
  return el('p', { class: 'fact' }, [el('b', {}, [text(name)]), text(' '), ...content]);
}

function value({ type, schemaName }: ValueEntry): Html {
  return schemaName === undefined ? text(type) : link(`#schema-${schemaName}`, type);
}

function link(href: string, label: string): Html {
  return el('a', { href }, [text(label)]);
}
