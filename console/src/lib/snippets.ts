/** How else to make a request. The credentials stay in the environment. */
export interface Snippet {
  name: string;
  text: string;
}

export const shellText = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
export const shellWord = (text: string) => (/^[\w./:=-]+$/.test(text) ? text : shellText(text));

/** A POST request of the API. */
export function curlOf(path: string, body: object, workspace: string): string {
  return [
    `curl -X POST "$SLIPWAY_URL${path}"`,
    '-H "Authorization: Bearer $SLIPWAY_API_KEY"',
    `-H 'X-Workspace-ID: ${workspace}'`,
    "-H 'Content-Type: application/json'",
    `-d ${shellText(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n  ');
}

/** A program with the SDK. `call` is what it calls, such as `const token = await client.tokens.deployErc20`. */
export function sdkOf(call: string, body: object, more = ''): string {
  return `import { createClient } from '@slipway/sdk';

const { SLIPWAY_URL = '', SLIPWAY_API_KEY } = process.env;
const client = createClient({ url: SLIPWAY_URL, apiKey: SLIPWAY_API_KEY });
${call}(${JSON.stringify(body, null, 2)});
${more}`;
}
