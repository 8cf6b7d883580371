import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** An authenticator in software (https://www.w3.org/TR/webauthn-3/#sctn-authenticator-data). */
export interface Authenticator {
  /** What navigator.credentials.create answers. */
  create(options: { challenge: string; rp: { id: string }; user: { id: string } }): object;
  /** What navigator.credentials.get answers. */
  get(options: { challenge: string; rpId: string }): object;
  /** What the next answers say. */
  says: { origin: string; isVerified: boolean; isBackedUp: boolean; canBackUp: boolean; counter: number };
}

const flag = { present: 0x01, verified: 0x04, canBackUp: 0x08, isBackedUp: 0x10, hasCredential: 0x40 };
const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest();

export function createAuthenticator(origin = 'https://slipway.example'): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const says = { origin, isVerified: true, isBackedUp: false, canBackUp: true, counter: 0 };
  let userHandle = '';

  function dataFor(rpId: string, credential: Uint8Array = Buffer.alloc(0)): Buffer {
    let flags = flag.present;
    if (says.isVerified) flags |= flag.verified;
    if (says.canBackUp) flags |= flag.canBackUp;
    if (says.isBackedUp) flags |= flag.isBackedUp;
    if (credential.length > 0) flags |= flag.hasCredential;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(says.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, credential]);
  }
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: says.origin, crossOrigin: false }));
  const answer = (response: object) => ({ id: encode(id), rawId: encode(id), type: 'public-key', response });

  return {
    says,
    create({ challenge, rp, user }) {
      userHandle = user.id;
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const credential = Buffer.concat([
        ...[Buffer.alloc(16), Buffer.from([0, id.length]), id],
        ...[Buffer.from('a5010203262001215820', 'hex'), Buffer.from(x, 'base64url')],
        ...[Buffer.from('225820', 'hex'), Buffer.from(y, 'base64url')],
      ]);
      return answer({
        clientDataJSON: encode(clientData('webauthn.create', challenge)),
        attestationObject: encode(attestationOf(dataFor(rp.id, credential))),
        transports: ['internal'],
      });
    },
    get({ challenge, rpId }) {
      const [data, client] = [dataFor(rpId), clientData('webauthn.get', challenge)];
      return answer({
        clientDataJSON: encode(client),
        authenticatorData: encode(data),
        signature: encode(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
        userHandle,
      });
    },
  };
}

/** {fmt: 'none', attStmt: {}, authData} in CBOR. */
function attestationOf(data: Buffer): Buffer {
  const [fmt, none, statement, name] = ['fmt', 'none', 'attStmt', 'authData'].map((text) =>
    Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]),
  ) as [Buffer, Buffer, Buffer, Buffer];
  const head = Buffer.from([0x59, data.length >> 8, data.length & 0xff]);
  return Buffer.concat([
    Buffer.from([0xa3]),
    ...[fmt, none, statement, Buffer.from([0xa0]), name],
    ...[head, data],
  ]);
}
