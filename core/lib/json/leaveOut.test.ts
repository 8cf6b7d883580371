import { createLeaveOut } from './leaveOut.ts';

const without = (text: string, pieces: number): string => {
  const leaveOut = createLeaveOut('logs');
  const bytes = Buffer.from(text);
  const size = Math.ceil(bytes.length / pieces);
  const kept: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size)
    kept.push(Buffer.from(leaveOut(bytes.subarray(at, at + size))));
  return Buffer.concat(kept).toString();
};

it.each([
  ['a list', '{"a":[1],"logs":[{"b":"]"},[2],"x"],"c":"é"}', '{"a":[1],"logs":[],"c":"é"}'],
  ['lists of several objects', '[{"logs":[1]},{"logs": [2] ,"d":3}]', '[{"logs":[]},{"logs": [] ,"d":3}]'],
  ['quotes in it', '{"logs":["\\"]",{"e":"\\\\"}],"f":1}', '{"logs":[],"f":1}'],
  ['an empty list', '{"logs":[],"g":[0]}', '{"logs":[],"g":[0]}'],
  ['no list', '{"logs":null,"h":[1]}', '{"logs":null,"h":[1]}'],
  ['other names', '{"logsBloom":[1],"xlogs":[2],"log":[3],"\\u006cogs":[4]}', undefined],
  ['a text of that name', '["logs",[1],{"i":"logs","j":[2]}]', undefined],
])('%s', (_what, text, expected = text) => {
  for (let pieces = 1; pieces <= text.length; pieces++) expect(without(text, pieces)).toBe(expected);
});
