import { withoutEnding } from '../../core/lib/text/withoutEnding.ts';
import { fail } from '../lib/failure.ts';
import { type Profile, profilesPath, readProfiles } from './profiles.ts';

/** Where a command goes, and as whom. */
export interface Settings extends Profile {
  /** Name of the profile, when one is in use. */
  profile?: string | undefined;
  /** The name or id of a workspace, which comes before that of the profile. */
  given?: string | undefined;
}

export interface Choice {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** From the command line. */
  profile?: string | undefined;
  workspace?: string | undefined;
}

/** The name of the profile that is asked for by name: --profile before SLIPWAY_PROFILE. */
export function namedProfile({ env, profile }: Choice): string | undefined {
  return profile || env.SLIPWAY_PROFILE || undefined;
}

/**
 * --profile comes before SLIPWAY_URL and SLIPWAY_API_KEY, and those before any other profile. A profile's key is never sent
 * to another address.
 */
export async function readSettings(choice: Choice): Promise<Settings> {
  const { env } = choice;
  const given = choice.workspace || env.SLIPWAY_WORKSPACE || undefined;
  const from: Choice['env'] = choice.profile ? {} : env;
  const { SLIPWAY_URL, SLIPWAY_API_KEY } = from;
  const url = SLIPWAY_URL ? cleanUrl(SLIPWAY_URL, 'SLIPWAY_URL') : undefined;
  if (url && SLIPWAY_API_KEY) return { url, apiKey: SLIPWAY_API_KEY, given };
  const { name, profile } = await profileOf(choice);
  if (url && url !== profile.url) {
    throw fail(
      'signIn',
      `SLIPWAY_URL is ${url}, but the profile "${name}" is for ${profile.url}.`,
      'Set SLIPWAY_API_KEY as well, or unset SLIPWAY_URL: a key is not sent to another address.',
    );
  }
  return {
    url: profile.url,
    apiKey: SLIPWAY_API_KEY || profile.apiKey,
    workspace: profile.workspace,
    given,
    profile: name,
  };
}

async function profileOf(choice: Choice): Promise<{ name: string; profile: Profile }> {
  const path = profilesPath(choice);
  const { current, profiles } = await readProfiles(path);
  const asked = namedProfile(choice);
  const name = asked ?? current ?? '';
  const profile = profiles[name];
  if (profile) return { name, profile };
  const known = Object.keys(profiles).join(', ');
  if (asked) {
    throw fail(
      'signIn',
      `There is no profile "${asked}" in ${path} (there: ${known || 'none'}).`,
      `Sign in: slipway login --profile ${asked} --url URL`,
    );
  }
  if (known !== '') {
    throw fail(
      'signIn',
      `No profile is selected in ${path} (there: ${known}).`,
      'Run: slipway profile use NAME (or slipway login --url URL).',
    );
  }
  throw fail(
    'signIn',
    'You are not signed in.',
    'Run: slipway login --url URL (or set SLIPWAY_URL and SLIPWAY_API_KEY).',
  );
}

/** An http or https URL without what follows its path. */
export function cleanUrl(text: string, what: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw fail(
      'usage',
      `${what} is not an http or https URL: ${text}`,
      'Write it as https://slipway.example.com.',
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw fail('usage', `${what} must have no user, query or fragment.`, 'Give the address alone.');
  }
  return `${url.origin}${withoutEnding(url.pathname, '/')}`;
}
