import type { Settings } from '../config/settings.ts';
import type { Io } from '../io/io.ts';
import type { Ui } from '../io/ui.ts';
import { type Client, createClientFor } from './client.ts';
import { findWorkspace, idPattern } from './resolve.ts';

/** A client that acts in the workspace of these settings, which the command line may have named. */
export async function clientIn(settings: Settings, io: Io, ui: Ui): Promise<Client> {
  const { given } = settings;
  if (given === undefined) return createClientFor(settings, io, ui);
  if (idPattern.test(given)) return createClientFor({ ...settings, workspace: given }, io, ui);
  const anywhere = createClientFor({ ...settings, workspace: undefined }, io, ui);
  const { id } = await findWorkspace(anywhere, given, io.signal);
  return createClientFor({ ...settings, workspace: id }, io, ui);
}
