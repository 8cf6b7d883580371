/** What runs in the pod: an OpenID provider that lets everybody in as the owner of EMAIL, and a mail server whose mails GET /mails returns. */
export const identityProgram = String.raw`
const { createServer } = require('node:http');
const { createHash, generateKeyPairSync, sign, randomUUID } = require('node:crypto');
const net = require('node:net');
const email = process.env.EMAIL;
const issuer = process.env.ISSUER || 'http://' + process.env.POD_IP + ':8080';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' };
const codes = new Map();
const mails = [];
const b64 = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
function idToken(nonce) {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, sub: email, aud: 'slipway', iat: now, exp: now + 300, nonce,
    email, email_verified: true, name: 'Ada Lovelace' };
  const text = b64({ alg: 'RS256', kid: 'k1' }) + '.' + b64(claims);
  return text + '.' + sign('sha256', Buffer.from(text), privateKey).toString('base64url');
}
createServer((request, response) => {
  const url = new URL(request.url, issuer);
  const json = (status, value) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  if (url.pathname === '/mails') return json(200, mails);
  if (url.pathname === '/jwks') return json(200, { keys: [jwk] });
  if (url.pathname === '/.well-known/openid-configuration') return json(200, {
    issuer, authorization_endpoint: issuer + '/authorize', token_endpoint: issuer + '/token', jwks_uri: issuer + '/jwks',
    response_types_supported: ['code'], subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['RS256'] });
  if (url.pathname === '/authorize') {
    const code = randomUUID();
    const given = Object.fromEntries(url.searchParams);
    codes.set(code, given);
    const back = new URL(given.redirect_uri);
    back.searchParams.set('code', code);
    back.searchParams.set('state', given.state);
    return response.writeHead(302, { location: back.href }).end();
  }
  let body = '';
  request.on('data', (part) => { body += part; });
  request.on('end', () => {
    const form = new URLSearchParams(body);
    const given = codes.get(form.get('code'));
    codes.delete(form.get('code'));
    const challenge = createHash('sha256').update(form.get('code_verifier') || '').digest('base64url');
    if (form.get('client_secret') !== 'secret-of-e2e') return json(401, { error: 'invalid_client' });
    if (!given || given.code_challenge !== challenge) return json(400, { error: 'invalid_grant' });
    json(200, { access_token: randomUUID(), token_type: 'Bearer', expires_in: 60, id_token: idToken(given.nonce) });
  });
}).listen(8080);
net.createServer((socket) => {
  let text = '', isData = false;
  const say = (line) => socket.write(line + '\r\n');
  say('220 mail');
  socket.on('error', () => {});
  socket.on('data', (part) => {
    text += part;
    for (;;) {
      const end = isData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n');
      if (end < 0) return;
      const line = text.slice(0, end);
      text = text.slice(end + (isData ? 5 : 2));
      if (isData) { mails.push(line); isData = false; say('250 taken'); continue; }
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'QUIT') { say('221 bye'); return socket.end(); }
      if (verb === 'DATA') { isData = true; say('354 go on'); continue; }
      say('250 ok');
    }
  });
}).listen(2525);
`;
