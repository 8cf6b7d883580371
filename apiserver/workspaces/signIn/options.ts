import { compact } from '../../../core/lib/compact.ts';
import type { Handler } from '../../http/pipeline/handler.ts';
import type { WorkspaceDeps } from '../deps.ts';

/** Tells the ways to sign in, and nothing about anybody. */
export function getSignInOptions({ cookies }: WorkspaceDeps): Handler<'getSignInOptions'> {
  return async () => ({
    body: {
      kind: 'SignInOptions',
      version: 'v1alpha1',
      methods: cookies ? ['apiKey', 'link'] : [],
      ...compact({ passkeyOrigin: undefined }),
    },
  });
}
