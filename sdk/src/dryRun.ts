/** The header with which the service checks a request and stores nothing, for the operations that accept it. */
export const dryRun = { headers: { 'X-Dry-Run': 'true' } } as const;
