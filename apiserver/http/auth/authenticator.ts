import type { IncomingHttpHeaders } from 'node:http';
import type { CredentialKind } from '../../../core/accounts/credentials.ts';
import type { KeySource } from './keySource.ts';

export interface BrowserRequest {
  method?: string | undefined;
  headers: IncomingHttpHeaders;
}

/** Credentials of requests beside API keys. */
export interface Authenticator {
  /** What their secrets are hashed as. */
  kind: CredentialKind;
  keys: KeySource;
  /** What callers read whose credentials are not valid. */
  refusal: string;
  /** Whether a request has such credentials, valid or not. */
  hasCredentials(headers: IncomingHttpHeaders): boolean;
  /** `<id>.<secret>`; undefined without. Throws Forbidden if a page of somebody else sent them. */
  tokenIn(request: BrowserRequest): string | undefined;
  /** Throws Forbidden if a page of somebody else sent the request. */
  refuseOtherPages(request: BrowserRequest): void;
}
