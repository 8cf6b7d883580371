import { apiGroup, crdVersion } from '../names.ts';

/** What all kinds of Slipway have in common. */
export const own = { group: apiGroup, version: crdVersion, isNamespaced: true } as const;
