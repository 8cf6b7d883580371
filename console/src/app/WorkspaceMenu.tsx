import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Client } from '../../../sdk/src/client.ts';
import type { Workspace } from '../../../sdk/src/generated/types.ts';
import { session } from '../session/browser.ts';
import { useInside } from '../session/context.tsx';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Menu, MenuChoice } from '../ui/Menu.tsx';
import styles from './app.module.css';
import { texts } from './texts.ts';

async function allWorkspaces(client: Client, signal: AbortSignal): Promise<Workspace[]> {
  const found: Workspace[] = [];
  for await (const workspace of client.workspaces.listAll({}, { signal })) found.push(workspace);
  return found;
}

/** The workspace of this tab, and the others of the user. */
export function WorkspaceMenu() {
  const { me, client } = useInside();
  const navigate = useNavigate();
  const { data = [] } = useQuery({
    queryKey: ['workspaces'],
    queryFn: ({ signal }) => allWorkspaces(client, signal),
  });
  const current = me.workspace;
  const options = data.map(({ id, name }) => ({ value: id, label: name }));
  const enter = (id: string) => {
    void navigate({ to: '/networks', search: {} }).then(() => session.enterWorkspace(id));
  };
  const trigger = (
    <Button
      look="quiet"
      className={styles.workspace}
      aria-label={`${texts.workspace}: ${current?.name ?? ''}`}
    >
      <span className={styles.workspaceName}>{current?.name ?? texts.workspace}</span>
      <Icon name="chevron" />
    </Button>
  );
  return (
    <Menu trigger={trigger} align="start">
      <MenuChoice label={texts.workspace} value={current?.id ?? ''} options={options} onChange={enter} />
    </Menu>
  );
}
