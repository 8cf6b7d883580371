import { completeImage, imageOfTag } from './imageTag.ts';

const digest = `sha256:${'a'.repeat(64)}`;

test.each([
  ['a tag', 'mocknet-3.1', 'host:5000/a/node:v1', 'host:5000/a/node:mocknet-3.1'],
  ['a tag, where the usual image has none', 'v2', 'host:5000/a/node', 'host:5000/a/node:v2'],
  ['a tag, where the usual image has a digest', 'v2', `node:v1@${digest}`, 'node:v2'],
  ['a reference with a tag', 'node:v3', 'a/node:v1', 'node:v3'],
  ['a reference with a path', 'b/node', 'a/node:v1', 'b/node'],
])('%s', (_what, given, usual, image) => {
  expect(completeImage(imageOfTag(given), usual)).toBe(image);
});

test('without an image, it is the usual one', () => {
  expect(completeImage(undefined, 'a/node:v1')).toBe('a/node:v1');
});
