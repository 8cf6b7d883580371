import { setTimeout as sleep } from 'node:timers/promises';

/** The URL of the REST API and the API key to use; paths are relative to `url`. */
export interface ApiAccess {
  url: string;
  keyId: string;
  keySecret: string;
}

export interface ApiAnswer {
  status: number;
  body: Record<string, unknown>;
}

const requestTimeoutMs = 30_000;
/** kube-apiserver learns the kinds of its admission policies within half a minute. */
const patienceMs = 60_000;

interface ApiCall {
  /** GET when absent. */
  method?: string;
  path: string;
  body?: object;
}

/**
 * Makes one REST call, again while the service asks for patience (503 with Retry-After), as just after an installation.
 * A body that is not a JSON object is returned as `{ text }`.
 */
export async function callApi(access: ApiAccess, apiCall: ApiCall): Promise<ApiAnswer> {
  const deadlineMs = Date.now() + patienceMs;
  for (;;) {
    const { retryAfterSeconds, ...answer } = await callOnce(access, apiCall);
    if (answer.status !== 503 || retryAfterSeconds === undefined || Date.now() > deadlineMs) return answer;
    await sleep(Math.min(retryAfterSeconds, 1) * 1_000);
  }
}

async function callOnce(
  access: ApiAccess,
  { method = 'GET', path, body }: ApiCall,
): Promise<ApiAnswer & { retryAfterSeconds?: number }> {
  const answer = await fetch(`${access.url}${path}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'X-API-Key-ID': access.keyId,
      'X-API-Key-Secret': access.keySecret,
    },
    body: body ? JSON.stringify(body) : null,
    signal: AbortSignal.timeout(requestTimeoutMs),
  });
  const retryAfter = answer.headers.get('retry-after');
  const parsed = parseObject(await answer.text());
  return {
    status: answer.status,
    body: parsed,
    ...(retryAfter ? { retryAfterSeconds: Number(retryAfter) } : {}),
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : { text };
  } catch {
    return { text };
  }
}
