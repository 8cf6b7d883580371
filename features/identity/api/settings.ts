import { z } from 'zod';

const domainSchema = z
  .string()
  .max(253)
  .regex(/^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/, 'use a domain in lower case: example.com');

const oidcProviderSchema = z
  .object({
    /** Part of addresses and of the path of its client secret. */
    name: z
      .string()
      .regex(/^[a-z0-9]([-a-z0-9]{0,30}[a-z0-9])?$/, 'use lower-case letters, digits and dashes'),
    /** What people read on its button. Empty: the name. */
    title: z.string().max(64).default(''),
    /** As the provider states it, to the letter: https://id.example.com/realms/staff. */
    issuer: z.url({ protocol: /^https?$/, error: 'use the https:// URL of the issuer' }),
    clientId: z.string().min(1).max(255),
    /** How the client proves itself: `none` for a public client, which has no secret. */
    clientAuth: z.enum(['post', 'basic', 'none']).default('post'),
    scopes: z.array(z.string().min(1).max(128)).max(20).default(['openid', 'email', 'profile']),
    /** Whether its word on an e-mail address is enough to sign in to the account with that address. */
    trustEmail: z.boolean().default(false),
    /** Who gets an account without an invitation: nobody, everybody, or those with a verified address in `domains`. */
    signUp: z.enum(['none', 'any', 'domains']).default('none'),
    domains: z.array(domainSchema).max(100).default([]),
    /** Certificates in PEM that its certificate may be issued by, in addition to the public ones. */
    ca: z.string().max(100_000).default(''),
    /** Whether the issuer may be at http://. */
    allowHttp: z.boolean().default(false),
  })
  .refine(({ issuer, allowHttp }) => allowHttp || issuer.startsWith('https:'), {
    error: 'use an https:// URL, or set allowHttp',
    path: ['issuer'],
  })
  .refine(({ signUp, domains }) => (signUp === 'domains') === domains.length > 0, {
    error: 'list the domains with signUp "domains", and only then',
    path: ['domains'],
  })
  .refine(({ scopes }) => scopes.includes('openid'), { error: 'must contain openid', path: ['scopes'] });
export type OidcProviderSettings = z.infer<typeof oidcProviderSchema>;

/** Identity providers that people sign in with, by OpenID Connect. */
export const oidcSettingsSchema = z.object({
  providers: z
    .array(oidcProviderSchema)
    .max(16)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
      error: 'each provider needs a name of its own',
    })
    .refine((all) => new Set(all.map(({ issuer }) => issuer)).size === all.length, {
      error: 'each issuer may be listed once',
    })
    .default([]),
});

/** Signing in with a key of Ethereum. */
export const walletSettingsSchema = z.object({
  enabled: z.boolean().default(true),
  /** The chain id in the message that a wallet signs. Nothing is sent to that chain. */
  chainId: z.int().min(1).default(1),
});

/** The mail server for invitations. Without a host, none are mailed. */
export const smtpSettingsSchema = z
  .object({
    host: z.string().max(253).default(''),
    port: z.int().min(1).max(65_535).default(587),
    /** `starttls` refuses servers without it; `none` sends in plain text. */
    security: z.enum(['starttls', 'tls', 'none']).default('starttls'),
    /** The sender: slipway@example.com, or Slipway <slipway@example.com>. */
    from: z
      .string()
      .max(320)
      // A line break would end the header.
      .regex(/^[^\r\n]*$/, 'must be one line')
      .default(''),
    /** Whether the server asks for a user and a password. */
    hasPassword: z.boolean().default(false),
    /** Certificates in PEM that its certificate may be issued by, in addition to the public ones. */
    ca: z.string().max(100_000).default(''),
  })
  .refine(({ host, from }) => host === '' || /^[^@\s]+@[^@\s]+$|<[^@<>\s]+@[^@<>\s]+>$/.test(from), {
    error: 'name the sender: slipway@example.com',
    path: ['from'],
  });
export type SmtpSettings = z.infer<typeof smtpSettingsSchema>;
