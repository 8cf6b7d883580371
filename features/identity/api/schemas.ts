import * as device from './rest/device.ts';
import * as identity from './rest/identity.ts';
import * as passkey from './rest/passkey.ts';
import * as password from './rest/password.ts';
import { sessionInputSchema, sessionListSchema, sessionSchema } from './rest/session.ts';
import * as signIn from './rest/signIn.ts';

/** The schemas that documents and the SDK name. */
export const schemas = {
  Session: sessionSchema,
  SessionInput: sessionInputSchema,
  SessionList: sessionListSchema,
  OidcAttempt: identity.oidcAttemptSchema,
  OidcAttemptInput: identity.oidcAttemptInputSchema,
  OidcCallback: identity.oidcCallbackSchema,
  OidcSession: identity.oidcSessionSchema,
  WalletInput: identity.walletInputSchema,
  WalletChallenge: identity.walletChallengeSchema,
  WalletProof: identity.walletProofSchema,
  Identity: identity.identitySchema,
  IdentityInput: identity.identityInputSchema,
  IdentityList: identity.identityListSchema,
  Passkey: passkey.passkeySchema,
  PasskeyList: passkey.passkeyListSchema,
  PasskeyInput: passkey.passkeyInputSchema,
  PasskeyName: passkey.passkeyNameSchema,
  PasskeyAnswer: passkey.passkeyAnswerSchema,
  PasskeyRequestOptions: passkey.passkeyRequestOptionsSchema,
  PasskeyCreationOptions: passkey.passkeyCreationOptionsSchema,
  Password: password.passwordSchema,
  PasswordInput: password.passwordInputSchema,
  PasswordSignIn: password.passwordSignInSchema,
  SignInOptions: signIn.signInOptionsSchema,
  SignInLink: signIn.signInLinkSchema,
  SignInLinkToken: signIn.linkTokenSchema,
  DeviceSignInInput: device.deviceSignInInputSchema,
  DeviceSignIn: device.deviceSignInSchema,
  DeviceCode: device.deviceCodeSchema,
  DeviceSignInState: device.deviceSignInStateSchema,
  DeviceUserCode: device.userCodeSchema,
  DeviceRequest: device.deviceRequestSchema,
  DeviceApprovalInput: device.deviceApprovalInputSchema,
  DeviceApproval: device.deviceApprovalSchema,
};
