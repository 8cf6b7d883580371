import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { collect } from '../lib/collect.ts';
import { part } from '../loading/part.tsx';
import { session } from '../session/browser.ts';
import { useInside, useMay } from '../session/context.tsx';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/Menu.tsx';
import styles from './app.module.css';
import { texts } from './texts.ts';

/** Few need it: it is loaded when it is opened. */
const NewWorkspace = part(() =>
  import('../pages/workspace/NewWorkspace.tsx').then((file) => file.NewWorkspace),
);

/** The workspace of this tab, and the others of the user. */
export function WorkspaceMenu() {
  const { me, client } = useInside();
  const navigate = useNavigate();
  const { data = [] } = useQuery({
    queryKey: ['workspaces'],
    meta: { aside: texts.workspaces },
    queryFn: ({ signal }) => collect(client.workspaces.listAll({}, { signal })),
  });
  const [isCreating, setCreating] = useState<boolean>();
  const mayCreate = useMay('account:write');
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
    <>
      <Menu trigger={trigger} align="start">
        <MenuChoice label={texts.workspace} value={current?.id ?? ''} options={options} onChange={enter} />
        {mayCreate && (
          <>
            <MenuSeparator />
            <MenuItem icon="plus" onSelect={() => setCreating(true)}>
              {texts.newWorkspace}
            </MenuItem>
          </>
        )}
      </Menu>
      {isCreating !== undefined && <NewWorkspace isOpen={isCreating} onClose={() => setCreating(false)} />}
    </>
  );
}
