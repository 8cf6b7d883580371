import { createOnce } from '../../../../apiserver/store/createOnce.ts';
import { forCaller } from '../../../../apiserver/store/kubeErrors.ts';
import { apiVersion } from '../../../../core/api/names.ts';
import { ownerReferenceTo } from '../../../../core/api/resources/kubeObject.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import { parseRfc3339 } from '../../../../core/lib/clock.ts';
import { AppError, isAppError } from '../../../../core/lib/errors.ts';
import {
  type SignInTicketResource,
  type SignInTicketSpec,
  signInTicketType,
} from '../../api/resources/ticket.ts';
import type { IdentityDeps } from '../deps.ts';

/**
 * A machine that asks is one object, and the answer of a user is another: whoever creates it first has answered. Both are
 * named by the code of the user, which neither of them has.
 */
const names = { device: 'd', deviceAnswer: 'a' } as const;
type Purpose = keyof typeof names;
type Ticket = Stored<SignInTicketResource>;

/** The machine with this id; undefined if there is none, or its time is over. */
export async function findDevice(deps: IdentityDeps, id: string): Promise<Ticket | undefined> {
  const found = await find(deps, 'device', id);
  const isOver = deps.clock.nowMs() >= (parseRfc3339(found?.spec.expiresAt) ?? 0);
  return isOver ? undefined : found;
}

/** What a user said to this machine. */
export async function findAnswer(deps: IdentityDeps, device: Ticket): Promise<Ticket | undefined> {
  const found = await find(deps, 'deviceAnswer', idOf(device));
  const isToIt = found?.metadata.ownerReferences?.some(({ uid }) => uid === device.metadata.uid);
  return isToIt ? found : undefined;
}

/** Notes that a machine asks. */
export async function createDevice(
  { kube, namespace }: IdentityDeps,
  { id, ...spec }: Omit<SignInTicketSpec, 'purpose'> & { id: string },
  mark: string | undefined,
): Promise<void> {
  const metadata = { name: `${names.device}${id}`, namespace };
  const object = {
    apiVersion,
    kind: 'SignInTicket',
    metadata,
    spec: { purpose: 'device', ...spec },
  } as const;
  await createOnce(kube, { type: signInTicketType, object, mark });
}

/** Notes the answer of a user. Throws Conflict if there is one already. */
export async function answerDevice(
  { kube }: IdentityDeps,
  { device, ...said }: Pick<SignInTicketSpec, 'user' | 'grant'> & { device: Ticket },
  mark: string | undefined,
): Promise<void> {
  const { namespace } = device.metadata;
  const metadata = { name: `${names.deviceAnswer}${idOf(device)}`, namespace };
  const { expiresAt } = device.spec;
  const object: SignInTicketResource = {
    apiVersion,
    kind: 'SignInTicket',
    metadata: { ...metadata, ownerReferences: [ownerReferenceTo(device)] },
    spec: { purpose: 'deviceAnswer', expiresAt, ...said },
  };
  try {
    await createOnce(kube, { type: signInTicketType, object, mark });
  } catch (error) {
    if (!isAppError(error, 'Conflict')) throw error;
    throw new AppError(
      'Conflict',
      'this code was answered already: run "slipway login" again for another one',
    );
  }
}

async function find(
  { kube, namespace }: IdentityDeps,
  purpose: Purpose,
  id: string,
): Promise<Ticket | undefined> {
  const ticket = await forCaller(kube.get(signInTicketType, { namespace, name: `${names[purpose]}${id}` }));
  return ticket?.spec.purpose === purpose && !ticket.metadata.deletionTimestamp ? ticket : undefined;
}

const idOf = ({ metadata }: Ticket): string => metadata.name.slice(names.device.length);
