import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A certificate and its private key, both in PEM. */
export interface KeyPair {
  certificate: string;
  key: string;
}

/** Who a certificate is for. Kubernetes reads a user's name and groups from it. */
export interface Subject {
  commonName: string;
  organization?: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const backdatedMs = 3_600_000;
const lifetimeMs = 10 * 365 * 24 * 3_600_000;

/** A certificate authority. `pem` has its own certificate and key. */
export interface Authority {
  pem: KeyPair;
  /** Issues a certificate for a client. */
  issueClient(subject: Subject): Promise<KeyPair>;
  /** Issues a certificate for a server that is reached under `names`: host names and IP addresses. It may be a client as well. */
  issueServer(subject: Subject, names: readonly string[]): Promise<KeyPair>;
}

/** Makes a certificate authority with a new key (RFC 5280), as in "PKI certificates and requirements" of Kubernetes. */
export async function createAuthority(commonName: string): Promise<Authority> {
  const keys = await newKeys();
  const issuer = { name: nameOf({ commonName }), key: keys.privateKey };
  const own = await sign(issuer, {
    subject: { commonName },
    publicKey: keys.publicKey,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.digitalSignature, true),
    ],
  });
  return authorityOf(issuer, await pairOf(own, keys));
}

/** The authority whose certificate and key were written before. */
export async function readAuthority(commonName: string, pem: KeyPair): Promise<Authority> {
  const der = Buffer.from(pem.key.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  const key = await webcrypto.subtle.importKey('pkcs8', der, algorithm, true, ['sign']);
  return authorityOf({ name: nameOf({ commonName }), key }, pem);
}

interface Issuer {
  name: string;
  key: webcrypto.CryptoKey;
}

function authorityOf(issuer: Issuer, pem: KeyPair): Authority {
  const issue = async (subject: Subject, extensions: Extension[]) => {
    const keys = await newKeys();
    const usages = new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true);
    const certificate = await sign(issuer, {
      subject,
      publicKey: keys.publicKey,
      extensions: [usages, ...extensions],
    });
    return pairOf(certificate, keys);
  };
  const { clientAuth, serverAuth } = ExtendedKeyUsage;
  return {
    pem,
    issueClient: (subject) => issue(subject, [new ExtendedKeyUsageExtension([clientAuth])]),
    issueServer: (subject, names) =>
      issue(subject, [
        new ExtendedKeyUsageExtension([serverAuth, clientAuth]),
        new SubjectAlternativeNameExtension(names.map(alternativeName)),
      ]),
  };
}

interface Signed {
  subject: Subject;
  publicKey: webcrypto.CryptoKey;
  extensions: Extension[];
}

function sign(issuer: Issuer, { subject, publicKey, extensions }: Signed) {
  const nowMs = Date.now();
  return X509CertificateGenerator.create({
    // A first byte below 128: a serial number is positive.
    serialNumber: `01${randomBytes(15).toString('hex')}`,
    subject: nameOf(subject),
    issuer: issuer.name,
    notBefore: new Date(nowMs - backdatedMs),
    notAfter: new Date(nowMs + lifetimeMs),
    signingAlgorithm: algorithm,
    publicKey,
    signingKey: issuer.key,
    extensions,
  });
}

function nameOf({ commonName, organization }: Subject): string {
  const names = [`CN=${commonName}`];
  return [...(organization === undefined ? [] : [`O=${organization}`]), ...names].join(', ');
}

function alternativeName(value: string) {
  const isAddress = /^[0-9.]+$/.test(value);
  return { type: isAddress ? ('ip' as const) : ('dns' as const), value };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

async function pairOf(
  certificate: { toString(format: 'pem'): string },
  { privateKey }: webcrypto.CryptoKeyPair,
): Promise<KeyPair> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey));
  const body = der.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return {
    certificate: `${certificate.toString('pem')}\n`,
    key: `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`,
  };
}
