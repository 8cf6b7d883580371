import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { NewApiKey } from '../../../../sdk/src/generated/types.ts';
import { useSubmit } from '../../forms/useSubmit.ts';
import { systemClock } from '../../lib/clock.ts';
import { rolesUpTo } from '../../lib/roles.ts';
import { ExpiryField } from '../../parts/access/ExpiryField.tsx';
import { RoleField } from '../../parts/access/RoleField.tsx';
import { texts as accessTexts } from '../../parts/access/texts.ts';
import { useInside } from '../../session/context.tsx';
import { Failure } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { AsCode } from '../../ui/code/AsCode.tsx';
import { OnceSecret } from '../../ui/code/OnceSecret.tsx';
import controls from '../../ui/controls.module.css';
import { Dialog } from '../../ui/Dialog.tsx';
import { CheckField, TextField } from '../../ui/Field.tsx';
import { useKeepPage } from '../../ui/keepOpen.ts';
import { Failed } from '../../ui/Loaded.tsx';
import surface from '../../ui/surface.module.css';
import { texts as uiTexts } from '../../ui/texts.ts';
import styles from './apiKeys.module.css';
import { type ApiKeyForm, emptyApiKeyForm, keySnippets, toKeyBody } from './form.ts';
import { apiKeysKey, usePermissions } from './queries.ts';
import { texts } from './texts.ts';

interface NewApiKeyProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The token is here while the dialog is open, and nowhere else. */
export function NewApiKeyDialog({ isOpen, onClose }: NewApiKeyProps) {
  const [made, setMade] = useState<NewApiKey>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  return (
    <Dialog
      title={made ? texts.madeTitle(made.name) : texts.create}
      isOpen={isOpen}
      isWide
      isKept={made !== undefined}
      onClose={close}
    >
      {made ? (
        <OnceSecret label={texts.token} secret={made.token} hint={texts.tokenHint} onClose={close} />
      ) : (
        <NewApiKeyForm onMade={setMade} onClose={close} />
      )}
    </Dialog>
  );
}

interface FormProps {
  onMade: (made: NewApiKey) => void;
  onClose: () => void;
}

function NewApiKeyForm({ onMade, onClose }: FormProps) {
  const { client, me } = useInside();
  const queries = useQueryClient();
  const workspace = me.workspace?.id ?? '';
  const roles = rolesUpTo(me.role);
  const [form, setForm] = useState<ApiKeyForm>({
    ...emptyApiKeyForm,
    role: roles.includes('developer') ? 'developer' : 'viewer',
  });
  const set = (change: Partial<ApiKeyForm>) => setForm((now) => ({ ...now, ...change }));
  const body = toKeyBody(form, systemClock.nowMs());
  const { isBusy, submit, at, error } = useSubmit({
    fields: ['name', 'role', 'permissions', 'expiresAt'],
    run: () => client.apiKeys.create(workspace, body),
    done: (made) => {
      onMade(made);
      void queries.invalidateQueries({ queryKey: apiKeysKey });
    },
  });
  useKeepPage(isBusy);
  const isEmpty = form.isRestricted && form.permissions.length === 0;
  return (
    <form className={surface.cardForm} onSubmit={submit} noValidate>
      {error !== undefined && <Failure error={error} />}
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        error={at.name}
        value={form.name}
        maxLength={128}
        onChange={(name) => set({ name })}
      />
      <div className={styles.two}>
        <RoleField
          role={form.role}
          upTo={me.role}
          error={at.role}
          onChange={(role) => set({ role, permissions: [] })}
        />
        <ExpiryField
          label={accessTexts.keyExpiry}
          hours={form.hours}
          options={accessTexts.keyExpiries}
          error={at.expiresAt}
          onChange={(hours) => set({ hours })}
        />
      </div>
      <Permissions form={form} error={at.permissions} set={set} />
      <AsCode snippets={keySnippets(workspace, form, body)} />
      <div className={surface.dialogActions}>
        <Button onClick={onClose} disabled={isBusy}>
          {uiTexts.cancel}
        </Button>
        <Button type="submit" look="primary" isBusy={isBusy} disabled={isEmpty}>
          {texts.create}
        </Button>
      </div>
    </form>
  );
}

interface PermissionsProps {
  form: ApiKeyForm;
  error: string | undefined;
  set: (change: Partial<ApiKeyForm>) => void;
}

/** Only what both the role and the user have: nobody gives more. */
function Permissions({ form, error, set }: PermissionsProps) {
  const { me } = useInside();
  const known = usePermissions();
  const { data } = known;
  const { permissions, isRestricted } = form;
  const names = (data?.roles[form.role] ?? []).filter((one) => me.permissions.includes(one));
  const toggle = (name: string) => (isChecked: boolean) =>
    set({ permissions: isChecked ? [...permissions, name] : permissions.filter((one) => one !== name) });
  return (
    <div>
      <CheckField
        label={texts.restrict}
        hint={texts.restrictHint}
        isChecked={isRestricted}
        onChange={(isChecked) => set({ isRestricted: isChecked, permissions: [] })}
      />
      {isRestricted && known.error && <Failed query={known} />}
      {isRestricted && (
        <fieldset className={styles.permissions}>
          <legend className={controls.visuallyHidden}>{texts.permissions}</legend>
          {names.map((name) => (
            <CheckField
              key={name}
              label={name}
              hint={data?.permissions[name]}
              isChecked={permissions.includes(name)}
              onChange={toggle(name)}
            />
          ))}
        </fieldset>
      )}
      {error && <p className={controls.error}>{error}</p>}
    </div>
  );
}
