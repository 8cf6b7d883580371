import { readJson } from '../io/input.ts';
import { jsonText } from '../io/terminal.ts';
import type { Context } from '../lib/context.ts';
import { fail } from '../lib/failure.ts';
import type { Call, CommandSpec } from '../lib/spec.ts';

export const apiCommand: CommandSpec = {
  usage: 'api <method> <path>',
  summary: 'Send any request to the API, and print the response.',
  details: `The path is as in the API reference, with its query. The response is printed as JSON, or unchanged if it is not JSON.
A POST has an Idempotency-Key, so that a retry after a lost response takes effect once.`,
  options: [
    { flags: '-d, --data <file>', text: 'File with the JSON body, or - for standard input.' },
    { flags: '--header <name:value>', text: 'Add a header; may be repeated.', isMany: true },
  ],
  examples: [
    'slipway api GET /v1alpha/networks',
    "slipway api GET '/v1alpha/networks?selector=status.state%20%3D%3D%20Operational'",
    'slipway api POST /v1alpha/networks -d network.json',
  ],
  notFound: 'Check the path and its ids. docs/api.md lists the paths.',
  bodyOption: 'data',
  run: request,
};

const credentialHeaders = ['authorization', 'x-api-key-id', 'x-api-key-secret', 'cookie'];

async function request({ io, ui, client }: Context, { args, options }: Call): Promise<void> {
  const [method = '', path = ''] = args;
  if (!/^[A-Za-z]+$/.test(method))
    throw fail('usage', `"${method}" is not a method.`, 'Use GET, POST, PUT or DELETE.');
  if (!path.startsWith('/'))
    throw fail('usage', `The path "${path}" must begin with "/".`, 'See docs/api.md for paths.');
  const data = options.text('data');
  if (data !== undefined && /^(GET|HEAD)$/i.test(method))
    throw fail('usage', `${method.toUpperCase()} takes no body.`, 'Leave out --data, or use POST or PUT.');
  const body = data === undefined ? undefined : await readJson(io, data);
  const headers = headersOf(options.list('header'));
  const answer = await (await client()).request(method.toUpperCase(), path, {
    body,
    headers,
    signal: io.signal,
  });
  if (answer === undefined || answer === '') return;
  if (typeof answer === 'string') return ui.raw(answer.endsWith('\n') ? answer : `${answer}\n`);
  ui.object(answer, `${jsonText(answer, 2)}\n`);
}

function headersOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((header) => {
      const index = header.indexOf(':');
      const name = header.slice(0, index).trim();
      if (index < 1)
        throw fail('usage', `--header ${header} is not of the form name:value.`, 'Example: If-Match:"1"');
      if (credentialHeaders.includes(name.toLowerCase())) {
        throw fail(
          'usage',
          `--header ${name} would show credentials on the command line.`,
          'Use slipway login.',
        );
      }
      return [name, header.slice(index + 1).trim()];
    }),
  );
}
