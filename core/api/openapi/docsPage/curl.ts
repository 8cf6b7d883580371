import type { OperationEntry } from '../reference.ts';

/** A call of the operation with curl; parameters in the path are to be filled in. */
export function curlOf({ method, path, permission, body }: OperationEntry): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$SLIPWAY_URL${path}"`,
    ...(permission === '' ? [] : ['-H "Authorization: Bearer $SLIPWAY_API_TOKEN"']),
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${quoted(body.example)}'`] : []),
  ];
  return lines.join(' \\\n  ');
}

function quoted(example: unknown): string {
  return JSON.stringify(example ?? {}).replaceAll("'", "'\\''");
}
