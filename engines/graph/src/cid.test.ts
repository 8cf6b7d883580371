import { addressOf, isCid } from './cid.ts';

const chunk = 262_144;
const bytesOf = (length: number) =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) & 255);

/** By the importer of Helia, with Kubo's defaults for CIDv0. */
it.each([
  ['nothing', 0, 'QmbFMke1KXqnYyBBWxB74N4c5SBnJMVAiMNRcGu6x1AwQH'],
  ['a few bytes', 5, 'QmVgje7PFxLapvmvTJhWnkYYh7Y5KBumxmuUHy67qRhUKd'],
  ['one whole chunk', chunk, 'QmRGtaHK8V8JK23yDT1tfoh2eRY9U5ix6zbiNHc9732JMo'],
  ['a byte more', chunk + 1, 'QmcVbM5cMCqC9pvnGvnPMHThnJdMeqJ4oVsqRSqWkdHXky'],
  ['more chunks than a node has links', chunk * 174 + 1, 'QmVZjfaRfSnMEE9akRfRuGzVHQNfcEynaJQKj8G6JMaPFd'],
])('%s has the CID that Kubo gives it', (_what, length, cid) => {
  expect(addressOf(bytesOf(length)).cid).toBe(cid);
});

it('the size is that of all blocks', () => {
  expect(addressOf(bytesOf(5)).size).toBe(13);
  expect(addressOf(bytesOf(chunk + 1)).size).toBe(262_267);
});

it.each(['', '..', '../Qm', 'QmbFMke1KXqnYyBBWxB74N4c5SBnJMVAiMNRcGu6x1AwQ/', 'boot', '.draft'])(
  '"%s" is not a CID, and so not the name of a file',
  (text) => expect(isCid(text)).toBe(false),
);
