import type { z } from 'zod';
import type { tokenDefinitions } from '../tokens/registry.ts';
import type { BodyOf } from './operations/operations.ts';
import type { Network, NetworkResource } from './resources/network.ts';
import type { RecordingResource, RecordingStatus } from './resources/recordingResource.ts';
import type { SecretBody, SecretResource } from './resources/secret.ts';
import type { TokenResource } from './resources/tokenResource.ts';
import type { Recording } from './rest/recording.ts';
import type { Token } from './rest/token.ts';
import type { TokenArgs, TokenType } from './rules/tokenArgs.ts';

/** True when two types are assignable to each other; otherwise the file does not compile. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Fits<A, B> = [A] extends [B] ? true : false;
type ArgsOf<Type extends TokenType> = z.output<
  z.ZodObject<Extract<(typeof tokenDefinitions)[number], { type: Type }>['args']>
>;

const shared = {
  'the spec of a network': true satisfies Same<Network['spec'], NetworkResource['spec']>,
  'the status of a network': true satisfies Same<Network['status'], NetworkResource['status']>,
  'the spec of a created network': true satisfies Same<
    BodyOf<'createNetwork'>['spec'],
    NetworkResource['spec']
  >,
  'the type of a secret': true satisfies Same<SecretBody['type'], SecretResource['spec']['type']>,
  'name, symbol and type of a token': true satisfies Fits<
    Pick<TokenResource['spec'], 'name' | 'symbol' | 'type'>,
    Pick<Token, 'name' | 'symbol' | 'type'>
  >,
  'args of ERC20': true satisfies Fits<ArgsOf<'ERC20'>, TokenArgs>,
  'args of ERC3643': true satisfies Fits<ArgsOf<'ERC3643'>, TokenArgs>,
  'args of OFT': true satisfies Fits<ArgsOf<'OFT'>, TokenArgs>,
  'args of CCT': true satisfies Fits<ArgsOf<'CCT'>, TokenArgs>,
  'args of a deploy request': true satisfies Same<
    BodyOf<'deployErc20'>['deployments'][number]['args'],
    NonNullable<TokenResource['spec']['deployments'][number]['args']>
  >,
  'the wallet of a recording': true satisfies Same<
    Recording['user_address'],
    RecordingResource['spec']['userAddress']
  >,
  'the state of a recording': true satisfies Same<Recording['state'], NonNullable<RecordingStatus['state']>>,
};

test.each(Object.entries(shared))('REST and the custom resource share %s', (_name, isShared) => {
  expect(isShared).toBe(true);
});
