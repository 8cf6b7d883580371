import { isFollowed, isResumed, methodNameOf } from '../methodNames.ts';
import type { OperationEntry } from '../reference.ts';

/** A call of the operation with curl; parameters in the path are to be filled in. */
export function curlOf({ method, path, permission, body }: OperationEntry): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$SLIPWAY_URL${path}"`,
    ...(permission === '' ? [] : ['-H "Authorization: Bearer $SLIPWAY_API_KEY"']),
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${quoted(body.example)}'`] : []),
  ];
  return lines.join(' \\\n  ');
}

function quoted(example: unknown): string {
  return JSON.stringify(example ?? {}).replaceAll("'", "'\\''");
}

/** The same with the command line, signed in by "slipway login". */
export function cliOf({ method, path, body }: OperationEntry): string {
  const command = `slipway api ${method} '${path}'`;
  if (!body) return command;
  return `${command} --data - <<'EOF'\n${JSON.stringify(body.example ?? {}, null, 2)}\nEOF`;
}

/** The same with the client for TypeScript. */
export function sdkOf(entry: OperationEntry): string {
  const { id, path, body, success, parameters } = entry;
  if (isResumed(id)) return 'for await (const event of client.events.stream()) console.log(event.type);';
  const { group, method } = methodNameOf(id);
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const several = `{ ${names.map((name) => `${name}: '…'`).join(', ')} }`;
  const given = [
    ...(names.length > 1 ? [several] : names.map((name) => `'${name}'`)),
    ...(body ? [JSON.stringify(body.example ?? {}, null, 2)] : []),
  ];
  const call = `client.${group}.${method}(${given.join(', ')})`;
  const isList = parameters.some(({ path: name, place }) => place === 'query' && name === 'cursor');
  if (isFollowed(id)) return `for await (const item of ${call}) console.log(item);`;
  if (isList) return `for await (const item of ${call.replace(/\.list/, '.listAll')}) console.log(item);`;
  return success.value ? `const answer = await ${call};` : `await ${call};`;
}
