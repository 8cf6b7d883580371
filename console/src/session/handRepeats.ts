const header = 'Idempotency-Key';
/** Older ones are forgotten. */
const maxOpen = 100;

/**
 * A fetch for requests that people send: whoever presses a button again because no answer came means the same request.
 * So it keeps its Idempotency-Key until its outcome is known, and the service does it once.
 */
export function withHandRepeats(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  const open = new Map<string, string>();
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    const given = headers.get(header);
    if (given === null) return fetch(input, init);
    const request = JSON.stringify([String(input), headers.get('X-Workspace-ID'), String(init.body)]);
    const key = open.get(request) ?? given;
    headers.set(header, key);
    open.delete(request);
    const keep = () => {
      open.set(request, key);
      if (open.size > maxOpen) open.delete(String(open.keys().next().value));
    };
    try {
      const response = await fetch(input, { ...init, headers });
      if (isUnknown(response)) keep();
      return response;
    } catch (error) {
      keep();
      throw error;
    }
  };
}

/** Whether the service may have done what was asked, or may still do it. */
function isUnknown({ status, headers }: Response): boolean {
  return status >= 500 || status === 408 || (status === 409 && headers.has('Retry-After'));
}
