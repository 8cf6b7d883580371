import { z } from 'zod';

/**
 * The patterns of zod's formats, by the calls that the code has, without their messages. `z.url` parses URLs, and has none
 * but the one that it is given.
 */
export const formats: Readonly<Record<string, RegExp>> = {
  'z.email()': z.regexes.email,
  'z.iso.datetime()': z.regexes.datetime({}),
  'z.iso.datetime({ offset: true })': z.regexes.datetime({ offset: true }),
};
