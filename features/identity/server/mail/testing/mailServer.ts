import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { OwnCertificate } from '../../../../../apiserver/testing/certificate.ts';

interface Received {
  from: string;
  to: string[];
  /** Headers and body as they came. */
  raw: string;
}

export interface MailServer {
  port: number;
  received: Received[];
  /** What the server answers to the next recipients; undefined: it takes the mail. */
  refuse(code: number | undefined): void;
  close(): Promise<void>;
}

interface MailServerOptions {
  /** It asks for it. */
  password?: string;
  port?: number;
  /** It offers STARTTLS with it, or is encrypted from the beginning. */
  tls?: OwnCertificate & { isImplicit?: boolean };
}

/** A real SMTP server on a free local port. */
export async function startMailServer({
  password = '',
  port = 0,
  tls,
}: MailServerOptions = {}): Promise<MailServer> {
  const received: Received[] = [];
  let refusal: number | undefined;
  const server = new SMTPServer({
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(password ? [] : ['AUTH'])],
    ...(tls ? { key: tls.key, cert: tls.cert, secure: tls.isImplicit ?? false } : {}),
    allowInsecureAuth: true,
    authOptional: password === '',
    onAuth(auth, _session, done) {
      if (auth.username === 'slipway' && auth.password === password) return done(null, { user: 'slipway' });
      done(new Error('535 no'));
    },
    onRcptTo(_address, _session, done) {
      if (refusal === undefined) return done();
      done(Object.assign(new Error('mailbox\r\nunavailable'), { responseCode: refusal }));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(parts).toString('utf8'),
        });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  const listening = server.listen(port, '127.0.0.1');
  await once(listening, 'listening');
  return {
    port: (listening.address() as AddressInfo).port,
    received,
    refuse(code) {
      refusal = code;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
