import { rootCertificates } from 'node:tls';
import type { CustomFetch, CustomFetchOptions } from 'openid-client';
import { Agent, request } from 'undici';

const timeoutMs = 10_000;
const maxBytes = 1024 * 1024;

/** Answers without a body, which Response does not take one for. */
const bodyless: readonly number[] = [204, 205, 304];

/**
 * What an identity provider is asked with: an answer has ten seconds and a mebibyte, and redirects are not followed.
 * `ca`: certificates in PEM to trust in addition to the public ones.
 */
export function createBoundedFetch(ca: string): CustomFetch {
  const dispatcher = new Agent({
    connect: { timeout: timeoutMs, ...(ca === '' ? {} : { ca: [...rootCertificates, ca] }) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: maxBytes,
    connections: 8,
  });
  return async (url, { method, headers, body, signal }) => {
    const answer = await request(url, {
      dispatcher,
      method,
      signal: signal ?? null,
      ...asForm(headers, body),
    });
    const bytes = await answer.body.arrayBuffer();
    const status = answer.statusCode;
    const flat = Object.entries(answer.headers).map(([name, value = '']) => [name, String(value)] as const);
    return new Response(bodyless.includes(status) ? null : bytes, {
      status,
      headers: Object.fromEntries(flat),
    });
  };
}

/** OpenID Connect sends forms alone. */
function asForm(headers: Record<string, string>, body: CustomFetchOptions['body']) {
  if (!(body instanceof URLSearchParams)) return { headers, body: null };
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8', ...headers },
    body: body.toString(),
  };
}
