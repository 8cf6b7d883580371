import type { Response, Router } from 'express';
import { buildDocsPage, type DocsPage } from '../../core/api/openapi/docsPage.ts';
import { buildOpenApi } from '../../core/api/openapi/openapi.ts';
import { sendJson } from '../http/pipeline/send.ts';
import { llmsText } from './llms.ts';

/** Links that hold below any prefix of the address. */
const index = JSON.stringify({
  name: 'Slipway',
  docs: 'docs',
  openapi: 'openapi.json',
  llms: 'llms.txt',
  mcp: 'mcp',
  health: 'v1alpha1/transaction/health',
});

/** Serves the API description at /openapi.json, its page at /docs, a summary for language models at /llms.txt, and at / where they are. All are public and built on first use. */
export function mountDocuments(router: Router): void {
  let description: string | undefined;
  let page: DocsPage | undefined;
  router.get('/', (_request, response) => sendJson(response, 200, index));
  router.get('/openapi.json', (_request, response) => {
    description ??= JSON.stringify(buildOpenApi());
    sendJson(response, 200, description);
  });
  router.get('/llms.txt', (_request, response) => {
    response.type('text/plain; charset=utf-8').send(llmsText());
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
