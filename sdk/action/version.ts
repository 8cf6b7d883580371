import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** That of the SDK beside this action, which its tag fixes. */
export const version: string = manifest.version;
