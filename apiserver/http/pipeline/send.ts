import type { ServerResponse } from 'node:http';

/**
 * Answers with JSON, as text or in UTF-8, or with no body when it is undefined. Written straight to the response:
 * express's own `send` answers 304 by the ETag, and a network's ETag stands for its spec alone, not for the status
 * that callers poll for.
 */
export function sendJson(response: ServerResponse, status: number, json: string | Buffer | undefined): void {
  response.statusCode = status;
  if (json === undefined) return void response.end();
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(json));
  response.end(json);
}
