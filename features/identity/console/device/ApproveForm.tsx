import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endAfter } from '../../../../console/src/forms/expiry.ts';
import { useSubmit } from '../../../../console/src/forms/useSubmit.ts';
import { systemClock } from '../../../../console/src/lib/clock.ts';
import { collect } from '../../../../console/src/lib/collect.ts';
import { rolesUpTo } from '../../../../console/src/lib/roles.ts';
import { ExpiryField } from '../../../../console/src/parts/access/ExpiryField.tsx';
import { RoleField } from '../../../../console/src/parts/access/RoleField.tsx';
import { texts as accessTexts } from '../../../../console/src/parts/access/texts.ts';
import { useInside } from '../../../../console/src/session/context.tsx';
import { Failure } from '../../../../console/src/ui/Banner.tsx';
import { Button } from '../../../../console/src/ui/Button.tsx';
import { SelectField, TextField } from '../../../../console/src/ui/Field.tsx';
import surface from '../../../../console/src/ui/surface.module.css';
import { tellFailure } from '../../../../console/src/ui/toasts.ts';
import { unknownValue } from '../../../../sdk/src/unknownValue.ts';
import styles from './device.module.css';
import { texts } from './texts.ts';

interface ApproveFormProps {
  code: string;
  machine: string;
  onDecided: (isApproved: boolean) => void;
}

const keyPermission = 'api-keys:write';

/** What the machine gets: no more than the user has in the chosen workspace. */
export function ApproveForm({ code, machine, onDecided }: ApproveFormProps) {
  const { client } = useInside();
  const { workspace, choose, options, standing } = useWorkspaceChoice();
  const [name, setName] = useState(machine);
  const [chosenRole, setRole] = useState('developer');
  const [hours, setHours] = useState(2160);
  const roles: readonly string[] = rolesUpTo(standing.role);
  const role = roles.includes(chosenRole) ? chosenRole : (roles[0] ?? 'viewer');
  const mayApprove = standing.permissions.includes(keyPermission);
  const { isBusy, submit, at, error } = useSubmit({
    fields: ['name', 'role', 'expiresAt'],
    run: () => {
      const expiresAt = endAfter(hours, systemClock.nowMs());
      return client.devices.approve(workspace, {
        userCode: code,
        name: name.trim(),
        role: unknownValue(role),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      });
    },
    done: () => onDecided(true),
  });
  const deny = () => void client.devices.deny({ userCode: code }).then(() => onDecided(false), tellFailure);
  return (
    <form className={surface.cardForm} onSubmit={submit} noValidate>
      {error !== undefined && <Failure error={error} />}
      <TextField label={texts.name} error={at.name} value={name} maxLength={128} onChange={setName} />
      <SelectField
        label={texts.workspace}
        error={mayApprove ? undefined : texts.noKeys(standing.name)}
        value={workspace}
        options={options}
        onChange={choose}
      />
      <div className={styles.two}>
        <RoleField role={role} upTo={standing.role} error={at.role} onChange={setRole} />
        <ExpiryField
          label={accessTexts.keyExpiry}
          hours={hours}
          options={accessTexts.keyExpiries}
          error={at.expiresAt}
          onChange={setHours}
        />
      </div>
      <div className={surface.dialogActions}>
        <Button onClick={deny}>{texts.deny}</Button>
        <Button type="submit" look="primary" isBusy={isBusy} disabled={!mayApprove}>
          {texts.approve}
        </Button>
      </div>
    </form>
  );
}

/** The workspaces of the user, and what the user may do in the chosen one. */
function useWorkspaceChoice() {
  const { me, client } = useInside();
  const own = { id: me.workspace?.id ?? '', name: me.workspace?.name ?? '' };
  const [workspace, choose] = useState(own.id);
  const { data = [own] } = useQuery({
    queryKey: ['workspaces'],
    queryFn: ({ signal }) => collect(client.workspaces.listAll({}, { signal })),
  });
  const { data: there = me } = useQuery({
    queryKey: ['me', workspace],
    enabled: workspace !== own.id,
    queryFn: ({ signal }) => client.account.get({ signal, workspace }),
  });
  const name = data.find(({ id }) => id === workspace)?.name ?? workspace;
  const { role, permissions } = workspace === own.id ? me : there;
  const options = data.map(({ id, name: label }) => ({ value: id, label }));
  return { workspace, choose, options, standing: { name, role, permissions } };
}
