import { get as getPlain } from 'node:http';
import { Agent, get as getSecure } from 'node:https';

const ANSWER_LIMIT_MS = 2000;
const anyCertificate = new Agent({ rejectUnauthorized: false });

/** True when a GET of a local server's health address answers 200; its certificate is not looked at. */
export function answersOk(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = url.startsWith('https:') ? getSecure(url, { agent: anyCertificate }) : getPlain(url);
    request.setTimeout(ANSWER_LIMIT_MS, () => request.destroy());
    request.once('response', (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once('error', () => resolve(false));
  });
}
