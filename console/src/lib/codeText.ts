/** A snippet in one language. */
export interface Snippet {
  name: string;
  text: string;
}

interface RestCall {
  method: string;
  path: string;
  /** Id of the workspace, for the operations that take it from a header. */
  workspace?: string | undefined;
  body?: unknown;
}

export const shellText = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
export const shellWord = (text: string) => (/^[\w./:=-]+$/.test(text) ? text : shellText(text));

/** The credentials stay in the environment. */
export function curlText({ method, path, workspace, body }: RestCall): string {
  return [
    `curl -X ${method} "$SLIPWAY_URL${path}"`,
    '-H "Authorization: Bearer $SLIPWAY_API_TOKEN"',
    ...(workspace === undefined ? [] : [`-H 'X-Workspace-ID: ${workspace}'`]),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${shellText(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

/** A program with these lines after the client is there. */
export function sdkText(...lines: string[]): string {
  return [
    "import { createClient } from '@slipway/sdk';",
    '',
    "const { SLIPWAY_URL = '', SLIPWAY_API_TOKEN } = process.env;",
    'const client = createClient({ url: SLIPWAY_URL, apiKey: SLIPWAY_API_TOKEN });',
    ...lines,
    '',
  ].join('\n');
}

/** A value as code of JavaScript. */
export const codeOf = (value: unknown) => JSON.stringify(value, null, 2) ?? 'undefined';
