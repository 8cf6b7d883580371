import { generateKeyPairSync } from 'node:crypto';
import type { AdapterFactory, AdapterPayload } from 'oidc-provider';

/** What the provider remembers, by model and id. Its own memory and keys announce at each start that they are for trials. */
export function createMemory(): AdapterFactory {
  const records = new Map<string, AdapterPayload>();
  return (model) => {
    const keyOf = (id: string) => `${model}/${id}`;
    const findBy = (field: 'uid' | 'userCode', value: string) =>
      [...records].find(([key, one]) => key.startsWith(`${model}/`) && one[field] === value)?.[1];
    return {
      upsert: async (id, payload) => void records.set(keyOf(id), payload),
      find: async (id) => records.get(keyOf(id)),
      findByUid: async (uid) => findBy('uid', uid),
      findByUserCode: async (code) => findBy('userCode', code),
      async consume(id) {
        const one = records.get(keyOf(id));
        if (one) one.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void records.delete(keyOf(id)),
      async revokeByGrantId(grantId) {
        for (const [key, one] of records) if (one.grantId === grantId) records.delete(key);
      },
    };
  };
}

/** A key that signs ID tokens. */
export function newJwks() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] };
}

const hour = 3600;
/** In seconds, of all that is issued. */
export const lifetimes = {
  AccessToken: hour,
  AuthorizationCode: 60,
  IdToken: hour,
  RefreshToken: hour,
  Grant: hour,
  Interaction: hour,
  Session: hour,
};
