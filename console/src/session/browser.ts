import { kept } from '../lib/kept.ts';
import { createSession, type Memory, type Tabs } from './session.ts';

const workspaceItem = 'slipway-workspace';

const memory: Memory = {
  read: () => sessionStorage.getItem(workspaceItem) ?? localStorage.getItem(workspaceItem) ?? undefined,
  write(id) {
    if (id === undefined) {
      sessionStorage.removeItem(workspaceItem);
      localStorage.removeItem(workspaceItem);
      return;
    }
    sessionStorage.setItem(workspaceItem, id);
    localStorage.setItem(workspaceItem, id);
  },
};

function createTabs(): Tabs {
  const channel = new BroadcastChannel('slipway-session');
  return {
    tell: (news) => channel.postMessage(news),
    listen: (heard) => channel.addEventListener('message', ({ data }) => heard(data)),
  };
}

/** The session of this tab. */
export const session = createSession({
  url: location.origin,
  fetch: (input, init) => fetch(input, init),
  memory,
  tabs: createTabs(),
  kept,
});
