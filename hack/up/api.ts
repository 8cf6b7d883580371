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

interface ApiCall {
  /** GET when absent. */
  method?: string;
  path: string;
  body?: object;
}

/** Makes one REST call. A body that is not a JSON object is returned as `{ text }`. */
export async function callApi(
  access: ApiAccess,
  { method = 'GET', path, body }: ApiCall,
): Promise<ApiAnswer> {
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
  return { status: answer.status, body: parseObject(await answer.text()) };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : { text };
  } catch {
    return { text };
  }
}
