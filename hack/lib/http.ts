import { get as getPlain } from 'node:http';
import { Agent, get as getSecure } from 'node:https';

const RESPONSE_LIMIT_MS = 2000;
const anyCertificate = new Agent({ rejectUnauthorized: false });

/** True when a GET of a local server's health URL returns 200; its certificate is not verified. */
export function answersOk(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = url.startsWith('https:') ? getSecure(url, { agent: anyCertificate }) : getPlain(url);
    request.setTimeout(RESPONSE_LIMIT_MS, () => request.destroy());
    request.once('response', (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once('error', () => resolve(false));
  });
}
