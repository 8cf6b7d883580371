export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** What the mail server made of a mail. */
type MailOutcome =
  | { isSent: true }
  /** Permanent: the server will not take it later either. */
  | { isSent: false; isPermanent: boolean; error: string };

/** What mails invitations. */
export interface Mailer {
  /** Hands a mail to the server. Never rejects. */
  send(mail: Mail): Promise<MailOutcome>;
}
