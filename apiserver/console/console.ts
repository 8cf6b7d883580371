import type { IncomingMessage, ServerResponse } from 'node:http';
import { gatewayPrefixes } from '../../core/api/operations/operation.ts';
import { operationIds, operationOf } from '../../core/api/operations/operations.ts';
import { type ConsoleFile, type ConsoleFiles, encodings } from './files.ts';

/** Answers a request for the console. False, and nothing is done, if it is for the API. */
export type ServeConsole = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The page loads from this service alone, and turns no text into a script. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const firstSegment = (path: string) => path.split('/')[1] ?? '';

/** What the console leaves alone: unknown paths below these are errors of the API, in JSON. */
const apiSegments: ReadonlySet<string> = new Set([
  ...operationIds.map((id) => firstSegment(operationOf(id).path)),
  ...Object.values(gatewayPrefixes).map(firstSegment),
  ...['docs', 'openapi.json', 'llms.txt', 'mcp', 'rpc'],
]);

/**
 * Serves the console. Every path that a browser opens as a page and that is not of the API is the page, which finds out
 * by itself what to show; other requests, such as those of programs at /, are not for the console. Without files, nothing is.
 */
export function createServeConsole(files: ConsoleFiles | undefined): ServeConsole {
  if (!files) return () => false;
  const { page, assets, guide } = files;
  return (request, response) => {
    const { method, url = '/' } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const path = url.replace(/\?.*$/s, '');
    const asset = assets.get(path);
    if (asset) {
      response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      send(request, response, asset);
      return true;
    }
    if (path === guidePath || path.startsWith(`${guidePath}/`)) {
      answerGuide(guide, { path, request, response });
      return true;
    }
    if (!isForPage(path, request)) return false;
    sendPage(request, response, page);
    return true;
  };
}

const guidePath = '/guide';

/** The documentation. Its pages link to each other relative to the folder, which therefore ends with a slash. */
function answerGuide(
  guide: ConsoleFiles['guide'],
  { path, request, response }: { path: string; request: IncomingMessage; response: ServerResponse },
): void {
  if (path === guidePath) {
    response.writeHead(308, { Location: 'guide/' }).end();
    return;
  }
  const file = guide.get(path.slice(guidePath.length + 1));
  if (!file) response.statusCode = 404;
  const page = file ?? guide.get('404');
  if (page) sendPage(request, response, page);
  else response.end();
}

function sendPage(request: IncomingMessage, response: ServerResponse, page: ConsoleFile): void {
  response.setHeader('Content-Security-Policy', contentSecurityPolicy);
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  send(request, response, page);
}

/** A missing asset is not the page: a browser with an old page must notice. */
function isForPage(path: string, { headers }: IncomingMessage): boolean {
  const isPage = /\btext\/html\b/.test(headers.accept ?? '');
  return isPage && !path.startsWith('/assets/') && !apiSegments.has(firstSegment(path));
}

function send(request: IncomingMessage, response: ServerResponse, file: ConsoleFile): void {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoding = encodings.find((one) => file.encoded[one] && accepts(accepted, one));
  const body = (encoding && file.encoded[encoding]) ?? file.body;
  response.setHeader('Content-Type', file.contentType);
  response.setHeader('Vary', 'Accept, Accept-Encoding');
  if (encoding) response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', body.length);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** `gzip;q=0` refuses it. */
function accepts(header: string, encoding: string): boolean {
  const offers = header.split(',').map((offer) => offer.split(';').map((part) => part.trim()));
  return offers.some(([name, weight]) => name === encoding && !/^q=0(\.0*)?$/.test(weight ?? ''));
}
