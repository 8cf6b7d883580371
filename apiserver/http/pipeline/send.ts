import type { ServerResponse } from 'node:http';

/**
 * Answers with JSON, as text or UTF-8, or with no body if it is undefined. Writes directly to the response: the `send`
 * of express answers 304 based on the ETag, but the ETag of a network only covers its spec, not the status that
 * callers poll for.
 */
export function sendJson(response: ServerResponse, status: number, json: string | Buffer | undefined): void {
  response.statusCode = status;
  if (json === undefined) return void response.end();
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(json));
  response.end(json);
}
