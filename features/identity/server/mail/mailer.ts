import { rootCertificates } from 'node:tls';
import { createTransport } from 'nodemailer';
import type { Mailer } from '../../../../apiserver/workspaces/invitations/mail/mailer.ts';
import { messageOf } from '../../../../core/lib/errors.ts';
import { cut } from '../../../../core/lib/text/foreignText.ts';
import type { SmtpSettings } from '../../api/settings.ts';

const timeoutMs = 15_000;
const maxErrorLength = 300;

interface MailerOptions {
  settings: SmtpSettings;
  /** `user` or `password`, as it is now. */
  readSecret(name: 'user' | 'password'): string;
}

/** A connection for each mail: there are few, and another password counts at once. */
export function createMailer({ settings, readSecret }: MailerOptions): Mailer {
  const { host, port, security, from, hasPassword, ca } = settings;
  return {
    async send({ to, subject, text, html }) {
      try {
        const auth = hasPassword ? { auth: { user: readSecret('user'), pass: readSecret('password') } } : {};
        const transport = createTransport({
          host,
          port,
          ...auth,
          secure: security === 'tls',
          requireTLS: security === 'starttls',
          ignoreTLS: security === 'none',
          ...(ca === '' ? {} : { tls: { ca: [...rootCertificates, ca] } }),
          connectionTimeout: timeoutMs,
          greetingTimeout: timeoutMs,
          socketTimeout: timeoutMs,
          disableFileAccess: true,
          disableUrlAccess: true,
        });
        // An address as an object is one address, whatever is in it.
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text, html });
        return { isSent: true };
      } catch (error) {
        return { isSent: false, isPermanent: isRefusal(error), error: plain(messageOf(error)) };
      }
    },
  };
}

/** The server refuses this mail for good (5xx, RFC 5321), and not whoever sends it. */
function isRefusal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  const status = 'responseCode' in error ? Number(error.responseCode) : 0;
  return (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') && status >= 500;
}

/** What a server answers may be anything. */
const plain = (text: string) => cut(text.replace(/[^\x20-\x7e]+/g, ' '), maxErrorLength);
