import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes tls.key and tls.crt, a self-signed certificate for the loopback interface. */
export function writeCertificate(folder: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const files = ['-keyout', join(folder, 'tls.key'), '-out', join(folder, 'tls.crt')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...key, ...files, ...subject], { stdio: 'ignore' });
}

export interface OwnCertificate {
  key: string;
  /** It is its own authority, which nobody trusts who is not told to. */
  cert: string;
}

/** The same in PEM. */
export function ownCertificate(): OwnCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-certificate-'));
  writeCertificate(folder);
  const [key = '', cert = ''] = ['tls.key', 'tls.crt'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  );
  rmSync(folder, { recursive: true });
  return { key, cert };
}
