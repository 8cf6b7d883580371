/** The code of a system error (`ENOENT`, `EEXIST`, …); undefined for any other thrown value. */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
