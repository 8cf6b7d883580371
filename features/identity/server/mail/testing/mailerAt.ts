import type { Mailer } from '../../../../../apiserver/workspaces/invitations/mail/mailer.ts';
import { smtpSettingsSchema } from '../../../api/settings.ts';
import { createMailer } from '../mailer.ts';

const from = 'Slipway <slipway@example.com>';

/** A mailer at a local server, in plain text unless `given` says otherwise. */
export function mailerAt({ port }: { port: number }, given: object = {}, password = ''): Mailer {
  const settings = smtpSettingsSchema.parse({ host: '127.0.0.1', port, from, security: 'none', ...given });
  return createMailer({ settings, readSecret: (name) => (name === 'user' ? 'slipway' : password) });
}
