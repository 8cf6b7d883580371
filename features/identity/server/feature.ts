import { defineServerFeature, type Surroundings } from '../../../apiserver/feature.ts';
import { createSweep } from '../../../apiserver/sweeps.ts';
import type { Mailer } from '../../../apiserver/workspaces/invitations/mail/mailer.ts';
import { compact } from '../../../core/lib/compact.ts';
import { createIdentityDeps } from './deps.ts';
import { createHandlers } from './handlers.ts';
import { createMailer } from './mail/mailer.ts';
import { createSignIn } from './sessions/signIn.ts';
import { sweptSessions, sweptTickets } from './sweeps.ts';

export const feature = defineServerFeature({
  create(surroundings) {
    const { namespace } = surroundings;
    const deps = createIdentityDeps(surroundings);
    return {
      handlers: createHandlers(deps),
      signIn: createSignIn({ ...deps, log: surroundings.log }),
      ...compact({ mailer: mailerOf(surroundings) }),
      steps: [sweptSessions(namespace), sweptTickets(namespace)].map((swept) =>
        createSweep(surroundings, swept),
      ),
    };
  },
});

/** Undefined without a mail server. */
function mailerOf({ installation: { smtp }, readSecret }: Surroundings): Mailer | undefined {
  if (smtp.host === '') return undefined;
  return createMailer({ settings: smtp, readSecret: (name) => readSecret(`smtp.${name}`) });
}
