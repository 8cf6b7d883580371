/** A wallet of this browser: https://eips.ethereum.org/EIPS/eip-6963 */
export interface BrowserWallet {
  id: string;
  name: string;
  /** A picture in the address itself; undefined if it is anywhere else. */
  icon: string | undefined;
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>;
}

interface Announcement {
  info: { uuid: string; name: string; icon: string };
  provider: Pick<BrowserWallet, 'request'>;
}

/** Calls back with the wallets of this browser, now and whenever another one announces itself. Returns what ends that. */
export function findWallets(found: (wallets: readonly BrowserWallet[]) => void): () => void {
  const wallets = new Map<string, BrowserWallet>();
  const heard = (event: Event) => {
    const announcement = announcementIn(event);
    if (!announcement) return;
    const { info, provider } = announcement;
    const icon = info.icon.startsWith('data:image/') ? info.icon : undefined;
    const request: BrowserWallet['request'] = (call) => provider.request(call);
    wallets.set(info.uuid, { id: info.uuid, name: info.name.slice(0, 64), icon, request });
    found([...wallets.values()]);
  };
  window.addEventListener('eip6963:announceProvider', heard);
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  return () => window.removeEventListener('eip6963:announceProvider', heard);
}

/** The account that the user chooses in the wallet. */
export async function addressOf(wallet: BrowserWallet): Promise<string> {
  const accounts = await wallet.request({ method: 'eth_requestAccounts' });
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof first === 'string') return first;
  throw new Error('the wallet named no account');
}

/** Signs a text with personal_sign (EIP-191). */
export async function signText(wallet: BrowserWallet, text: string, address: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const signature = await wallet.request({ method: 'personal_sign', params: [`0x${hex}`, address] });
  if (typeof signature === 'string') return signature;
  throw new Error('the wallet signed nothing');
}

/** Whether the user said no in the wallet: https://eips.ethereum.org/EIPS/eip-1193#provider-errors */
export function isDeclined(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 4001;
}

function announcementIn(event: Event): Announcement | undefined {
  if (!(event instanceof CustomEvent)) return undefined;
  const detail: unknown = event.detail;
  return isAnnouncement(detail) ? detail : undefined;
}

function isAnnouncement(detail: unknown): detail is Announcement {
  if (typeof detail !== 'object' || detail === null) return false;
  if (!('info' in detail && 'provider' in detail)) return false;
  const { info, provider } = detail;
  if (typeof info !== 'object' || info === null || typeof provider !== 'object' || provider === null)
    return false;
  const { uuid, name, icon, request } = {
    uuid: '',
    name: '',
    icon: '',
    request: undefined,
    ...info,
    ...provider,
  };
  return [uuid, name, icon].every((one) => typeof one === 'string') && typeof request === 'function';
}
