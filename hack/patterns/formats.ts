import { z } from 'zod';

/** The patterns of zod's formats that the code uses. `z.url` parses URLs, and has none but the one that it is given. */
export const formats: Readonly<Record<string, RegExp>> = {
  email: z.regexes.email,
  'iso.datetime': z.regexes.datetime({ offset: true }),
};
