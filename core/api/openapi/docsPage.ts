import { createHash } from 'node:crypto';
import { el, type Html, joinHtml, render, text } from './docsPage/html.ts';
import { fieldTable, operationHtml } from './docsPage/operation.ts';
import { pageScript } from './docsPage/script.ts';
import { pageStyle } from './docsPage/style.ts';
import { buildReference, type OperationEntry, type Reference, type SchemaEntry } from './reference.ts';

/** The page at /docs and the Content-Security-Policy that it needs. It loads nothing, and sends requests to its own host alone. */
export interface DocsPage {
  html: string;
  contentSecurityPolicy: string;
}

/** The contract as one self-contained HTML page. Pure: build it once and keep it. */
export function buildDocsPage(): DocsPage {
  const reference = buildReference();
  const body = joinHtml([
    el('a', { class: 'skip', href: '#content' }, [text('Skip to the content')]),
    header(),
    el('div', { class: 'layout' }, [index(reference), content(reference)]),
  ]);
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Slipway</title><style>${pageStyle}</style></head>
<body data-language="curl">${render(body)}<script>${pageScript}</script></body></html>
`;
  const policy = [
    "default-src 'none'",
    `style-src ${hashSource(pageStyle)}`,
    `script-src ${hashSource(pageScript)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return { html, contentSecurityPolicy: policy.join('; ') };
}

function hashSource(source: string): string {
  return `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
}

function header(): Html {
  const languages = { curl: 'curl', cli: 'CLI', sdk: 'SDK' };
  return el('header', {}, [
    el('a', { href: './' }, [text('Console')]),
    el('h1', {}, [text('Slipway API reference')]),
    el(
      'input',
      { id: 'filter', type: 'search', placeholder: 'Filter', 'aria-label': 'Filter operations' },
      [],
    ),
    el(
      'select',
      { id: 'language', 'aria-label': 'Language of the examples' },
      Object.entries(languages).map(([name, label]) => el('option', { value: name }, [text(label)])),
    ),
    el('a', { href: 'guide/' }, [text('Documentation')]),
    el('a', { href: 'openapi.json' }, [text('OpenAPI')]),
  ]);
}

/** The operations by what they are about. */
function index({ groups }: Reference): Html {
  const item = ({ id, method, summary }: OperationEntry) =>
    el('li', {}, [
      el('a', { href: `#${id}` }, [
        el('b', { class: method.toLowerCase() }, [text(method)]),
        el('span', {}, [text(summary)]),
      ]),
    ]);
  return el(
    'nav',
    { class: 'index', 'aria-label': 'Operations' },
    groups.map(({ name, operations }) =>
      el('details', {}, [el('summary', {}, [text(name)]), el('ul', {}, operations.map(item))]),
    ),
  );
}

function content({ groups, schemas }: Reference): Html {
  const byName = new Map(schemas.map((schema) => [schema.name, schema]));
  return el('main', { id: 'content', tabindex: '-1' }, [
    credentials(),
    ...groups.map(({ name, description, operations }) =>
      section(
        name,
        description,
        operations.map((entry) => operationHtml(entry, byName)),
      ),
    ),
    section('Objects', 'The objects in requests and responses.', schemas.map(schemaHtml)),
  ]);
}

function section(name: string, description: string, entries: Html[]): Html {
  return el('section', { class: 'group' }, [
    el('h2', {}, [text(name)]),
    el('p', {}, [text(description)]),
    ...entries,
  ]);
}

/** How a reader gets from the page to a first answer. */
function credentials(): Html {
  const field = (id: string, label: string, type: string) =>
    el('label', { for: id }, [
      text(label),
      el('input', { id, type, autocomplete: 'off', spellcheck: 'false' }, []),
    ]);
  return el('section', {}, [
    el('h2', {}, [text('Credentials')]),
    el('p', {}, [
      text('Programs send an API key with each request, as "Authorization: Bearer <token>". '),
      text('make up writes the first one to .slipway/env; '),
      el('a', { href: '#createApiKey' }, [text('createApiKey')]),
      text(' makes others. The examples read the address and the key from the environment:'),
    ]),
    el('div', { class: 'copyable' }, [
      el('pre', {}, [text('. .slipway/env   # SLIPWAY_URL, SLIPWAY_API_KEY')]),
    ]),
    el('h3', {}, [text('Trying it here')]),
    el('div', { class: 'credentials' }, [
      el('p', { id: 'who', role: 'status' }, [text('This page can send requests when its script runs.')]),
      field('key', 'API key, instead of the session of this browser. It stays in this field.', 'password'),
      field('workspace', 'Workspace ID, when it is another than the one of the credentials', 'text'),
    ]),
  ]);
}

function schemaHtml({ name, description, rows }: SchemaEntry): Html {
  return el('details', { id: `schema-${name}`, class: 'entry' }, [
    el('summary', {}, [el('code', {}, [text(name)]), el('span', {}, [text(description)])]),
    el('div', { class: 'wide' }, fieldTable(rows)),
  ]);
}
