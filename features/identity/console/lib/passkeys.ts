import type { Client } from '../../../../sdk/src/client.ts';

/** Loaded when somebody uses a passkey. */
const webAuthn = () => import('@simplewebauthn/browser');

/** Whether the passkeys of this installation work where this page is. */
export function canUsePasskeys(passkeyOrigin: string | undefined): boolean {
  return passkeyOrigin === location.origin && typeof PublicKeyCredential === 'function';
}

/** Asks for a passkey and opens a session with it. `isQuiet`: offers it among the suggestions of the address field. */
export async function openWithPasskey(client: Client, { isQuiet = false } = {}): Promise<void> {
  const { startAuthentication, browserSupportsWebAuthnAutofill } = await webAuthn();
  if (isQuiet && !(await browserSupportsWebAuthnAutofill())) return new Promise(() => {});
  const options = await client.signIn.getPasskeyOptions();
  const optionsJSON = { ...options, userVerification: 'required' as const };
  const { id, rawId, type, response } = await startAuthentication({
    optionsJSON,
    useBrowserAutofill: isQuiet,
    verifyBrowserAutofillInput: false,
  });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const answer = { clientDataJSON, authenticatorData, signature, ...(userHandle ? { userHandle } : {}) };
  await client.signIn.withPasskey({ id, rawId, type, response: answer });
}

/** Makes a passkey and enrols it under a name. */
export async function enrolPasskey(client: Client, name: string): Promise<void> {
  const { startRegistration } = await webAuthn();
  const options = await client.passkeys.getCreationOptions();
  const optionsJSON = {
    ...options,
    attestation: 'none' as const,
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true,
      userVerification: 'required' as const,
    },
    excludeCredentials: options.excludeCredentials.map(({ id, type }) => ({ id, type })),
  };
  const { id, rawId, type, response } = await startRegistration({ optionsJSON });
  const { clientDataJSON, attestationObject, transports } = response;
  const answer = { clientDataJSON, attestationObject, ...(transports ? { transports } : {}) };
  await client.passkeys.create({ name, credential: { id, rawId, type, response: answer } });
}

/** Ends what waits for a passkey. */
export async function cancelPasskeys(): Promise<void> {
  (await webAuthn()).WebAuthnAbortService.cancelCeremony();
}
