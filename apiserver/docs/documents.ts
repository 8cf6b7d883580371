import type { Response, Router } from 'express';
import { buildDocsPage, type DocsPage } from '../../core/api/openapi/docsPage.ts';
import { buildOpenApi } from '../../core/api/openapi/openapi.ts';
import { sendJson } from '../http/pipeline/send.ts';

/** Serves the API description at /openapi.json and its page at /docs. Both are public and built on first use. */
export function mountDocuments(router: Router): void {
  let description: string | undefined;
  let page: DocsPage | undefined;
  router.get('/openapi.json', (_request, response) => {
    description ??= JSON.stringify(buildOpenApi());
    sendJson(response, 200, description);
  });
  router.get('/docs', (_request, response) => {
    page ??= buildDocsPage();
    sendPage(response, page);
  });
}

function sendPage(response: Response, { html, contentSecurityPolicy }: DocsPage): void {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Security-Policy', contentSecurityPolicy);
  response.setHeader('Content-Length', Buffer.byteLength(html));
  response.end(html);
}
