import { escapeHtml } from '../../../../core/lib/text/escapeHtml.ts';
import type { Mail } from './mailer.ts';

interface Invited {
  email: string;
  workspaceName: string;
  role: string;
  inviter: string;
  /** With the token in its fragment. */
  link: string;
  expiresAt: string;
}

/** The mail with an invitation, as text and as HTML that says the same. */
export function invitationMail({ email, workspaceName, role, inviter, link, expiresAt }: Invited): Mail {
  const who = oneLine(inviter);
  const where = oneLine(workspaceName);
  const intro = `${who} invites you to the workspace ${where} of Slipway as ${oneLine(role)}.`;
  const until = `The link is for you alone, works once, and expires at ${expiresAt}. If you do not know what this is about, ignore this mail.`;
  return {
    to: email,
    subject: `Invitation to the workspace ${where}`,
    text: `${intro}\n\nOpen this link to see and accept the invitation:\n${link}\n\n${until}\n`,
    html: [
      '<!doctype html>',
      `<p>${escapeHtml(intro)}</p>`,
      `<p><a href="${escapeHtml(link)}">See and accept the invitation</a></p>`,
      `<p>${escapeHtml(until)}</p>`,
    ].join('\n'),
  };
}

/** Without what would begin another line or header. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
