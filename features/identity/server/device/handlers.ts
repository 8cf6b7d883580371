import type { Handlers } from '../../../../apiserver/http/pipeline/handler.ts';
import type { IdentityDeps } from '../deps.ts';
import { createDeviceApiKey, createDeviceSignIn, pollDeviceSignIn } from './ask.ts';
import { approveDeviceSignIn, denyDeviceSignIn, lookUpDeviceSignIn } from './decide.ts';

/** API keys for machines without a browser. */
export function createDeviceHandlers(deps: IdentityDeps) {
  return {
    createDeviceSignIn: createDeviceSignIn(deps),
    pollDeviceSignIn: pollDeviceSignIn(deps),
    createDeviceApiKey: createDeviceApiKey(deps),
    lookUpDeviceSignIn: lookUpDeviceSignIn(deps),
    denyDeviceSignIn: denyDeviceSignIn(deps),
    approveDeviceSignIn: approveDeviceSignIn(deps),
  } satisfies Handlers;
}
