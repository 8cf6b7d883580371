import { compact } from '../../../core/lib/compact.ts';
import { createKeySchema, signatureSchema, updateKeySchema } from './bodies.ts';
import { addKey, keyNamed, walletNamed } from './found.ts';
import { newRecordId, type SignatureRecord } from './records.ts';
import type { Handler, Request } from './request.ts';
import { signatureOf } from './signatures.ts';

export const createKey: Handler = ({ dfns, body }) => {
  const { name } = createKeySchema.parse(body);
  return dfns.store.atomically(() => addKey(dfns, { name }));
};

export const getKey: Handler = ({ dfns, params: [id = ''] }) => keyNamed(dfns, id);

export const listKeys: Handler = ({ dfns, page }) => dfns.store.page('key', page);

export const updateKey: Handler = ({ dfns, body, params: [id = ''] }) => {
  const { name } = updateKeySchema.parse(body);
  const { name: _old, ...key } = keyNamed(dfns, id);
  const record = { ...key, ...compact({ name: name ?? undefined }) };
  dfns.store.update(record);
  return record;
};

export const signWithWallet: Handler = (request) => {
  const { id: walletId, network, signingKey } = walletNamed(request);
  const { chainId } = request.dfns.config;
  return sign(request, { owner: walletId, keyId: signingKey.id, chainId, of: { walletId, network } });
};

export const signWithKey: Handler = (request) => {
  const { id } = keyNamed(request.dfns, request.params[0] ?? '');
  return sign(request, { owner: id, keyId: id, of: {} });
};

interface Signer {
  /** The owner of the list of signatures that contains it. */
  owner: string;
  keyId: string;
  chainId?: string;
  of: Pick<SignatureRecord, 'walletId' | 'network'>;
}

function sign({ dfns, body: given }: Request, { owner, of, ...signer }: Signer): SignatureRecord {
  const { store, keys, config } = dfns;
  const body = signatureSchema.parse(given);
  const repeated = store.repeated('signature', owner, body);
  if (repeated) return repeated;
  const signed = signatureOf(body, { ...signer, keys });
  const now = dfns.now();
  const record: SignatureRecord = {
    id: newRecordId('signature'),
    ...of,
    keyId: signer.keyId,
    requester: { userId: config.user },
    requestBody: body,
    status: 'Signed',
    ...signed,
    dateRequested: now,
    dateSigned: now,
    ...compact({ externalId: body.externalId }),
  };
  store.atomically(() => store.add('signature', { owner, record, body }));
  return record;
}
