import { ownCertificate } from '../../../../apiserver/testing/certificate.ts';
import { invitationMail } from '../../../../apiserver/workspaces/invitations/mail/invitationMail.ts';
import type { Mail } from '../../../../apiserver/workspaces/invitations/mail/mailer.ts';
import { mailerAt } from './testing/mailerAt.ts';
import { type MailServer, startMailServer } from './testing/mailServer.ts';

let server: MailServer;
beforeEach(async () => {
  server = await startMailServer();
});
afterEach(() => server.close());

/** Instead of the one that every test has. */
async function use(options: Parameters<typeof startMailServer>[0]): Promise<void> {
  await server.close();
  server = await startMailServer(options);
}

describe('the text', () => {
  const invited = {
    email: 'ada@example.com',
    workspaceName: 'team',
    role: 'viewer',
    inviter: 'Ben',
    link: 'https://slipway.example/invitations/accept#i.x',
    expiresAt: '2030-01-08T00:00:00Z',
  };

  test('cannot become markup', () => {
    const { html, text } = invitationMail({ ...invited, inviter: '<img src=x onerror="alert(1)">' });
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;');
    expect(html).not.toContain('<img');
    expect(text).toContain('<img src=x');
  });

  test('cannot add a header, or another recipient', async () => {
    const evil = 'team\r\nBcc: eve@example.com\u2028Subject: other';
    const mail = invitationMail({ ...invited, workspaceName: evil, inviter: evil });
    const send = (one: Mail) => mailerAt(server).send(one);
    expect(await send(mail)).toEqual({ isSent: true });
    const raw = { ...mail, subject: `x\r\nBcc: eve@example.com`, to: 'ada@example.com, eve@example.com' };
    await send(raw);
    const headers = server.received.map((one) => one.raw.split('\r\n\r\n')[0] ?? '');
    expect(headers.filter((text) => /^bcc:/im.test(text))).toEqual([]);
    expect(server.received[0]?.to).toEqual(['ada@example.com']);
    expect(server.received.flatMap(({ to }) => to)).not.toContain('eve@example.com');
  });
});

describe('the mail server', () => {
  const mail: Mail = { to: 'ada@example.com', subject: 's', text: 't', html: '<p>t' };

  test('is signed in to with the password of the moment', async () => {
    await use({ password: 'right' });
    expect(await mailerAt(server, { hasPassword: true }, 'right').send(mail)).toEqual({ isSent: true });
    const wrong = await mailerAt(server, { hasPassword: true }, 'wrong').send(mail);
    // The administrator can still set another one.
    expect(wrong).toMatchObject({ isSent: false, isPermanent: false });
    expect(JSON.stringify(wrong)).not.toContain('wrong');
  });

  test('gets nothing in plain text unless that is set', async () => {
    expect(await mailerAt(server, { security: 'starttls' }).send(mail)).toMatchObject({ isSent: false });
    expect(await mailerAt(server, { security: 'tls' }).send(mail)).toMatchObject({ isSent: false });
    expect(server.received).toEqual([]);
  });

  test.each([
    ['starttls', false],
    ['tls', true],
  ])(
    'with an authority of its own is used once the authority is known (%s)',
    async (security, isImplicit) => {
      const own = ownCertificate();
      await use({ tls: { ...own, isImplicit } });
      const refused = await mailerAt(server, { security }).send(mail);
      expect(refused).toMatchObject({
        isSent: false,
        isPermanent: false,
        error: expect.stringMatching(/certificate/),
      });
      const other = await mailerAt(server, { security, ca: ownCertificate().cert }).send(mail);
      expect(other).toMatchObject({ isSent: false, error: expect.stringMatching(/certificate/) });
      expect(server.received).toEqual([]);
      expect(await mailerAt(server, { security, ca: own.cert }).send(mail)).toEqual({ isSent: true });
      expect(server.received).toHaveLength(1);
    },
  );

  test('may be down', async () => {
    const { port } = server;
    await server.close();
    expect(await mailerAt({ port }).send(mail)).toMatchObject({ isSent: false, isPermanent: false });
  });
});
