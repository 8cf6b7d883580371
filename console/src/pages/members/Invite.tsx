import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { InvitationInput } from '../../../../sdk/src/generated/types.ts';
import { unknownValue } from '../../../../sdk/src/unknownValue.ts';
import { endAfter } from '../../forms/expiry.ts';
import { useSubmit } from '../../forms/useSubmit.ts';
import { systemClock } from '../../lib/clock.ts';
import { shellWord } from '../../lib/snippets.ts';
import { workspaceSnippets } from '../../lib/workspaceSnippets.ts';
import { ExpiryField } from '../../parts/access/ExpiryField.tsx';
import { RoleField } from '../../parts/access/RoleField.tsx';
import { useInside } from '../../session/context.tsx';
import { Failure } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { AsCode } from '../../ui/code/AsCode.tsx';
import { OnceSecret } from '../../ui/code/OnceSecret.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { useKeepPage } from '../../ui/keepOpen.ts';
import surface from '../../ui/surface.module.css';
import { texts as uiTexts } from '../../ui/texts.ts';
import { invitationLink } from './invitationLink.ts';
import { invitationsKey } from './queries.ts';
import { texts } from './texts.ts';

interface InviteProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Invites somebody, and shows the link only once. */
export function Invite({ isOpen, onClose }: InviteProps) {
  const [made, setMade] = useState<{ email: string; link: string }>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  return (
    <Dialog
      title={made ? texts.linkTitle : texts.inviteTitle}
      isOpen={isOpen}
      isKept={made !== undefined}
      onClose={close}
    >
      {made ? (
        <OnceSecret label={texts.link} secret={made.link} hint={texts.linkHint(made.email)} onClose={close} />
      ) : (
        <InviteForm onMade={setMade} onClose={close} />
      )}
    </Dialog>
  );
}

interface InviteFormProps {
  onMade: (made: { email: string; link: string }) => void;
  onClose: () => void;
}

function InviteForm({ onMade, onClose }: InviteFormProps) {
  const { client, me } = useInside();
  const queries = useQueryClient();
  const workspace = me.workspace?.id ?? '';
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('developer');
  const [hours, setHours] = useState(0);
  const body = { email: email.trim(), role: unknownValue(role), ...endOf(hours) };
  const { isBusy, submit, at, error } = useSubmit({
    fields: ['email', 'role', 'expiresAt'],
    run: () => client.invitations.create(workspace, body),
    done: ({ token }) => {
      onMade({ email: body.email, link: invitationLink(location.origin, token) });
      void queries.invalidateQueries({ queryKey: invitationsKey });
    },
  });
  useKeepPage(isBusy);
  return (
    <form className={surface.cardForm} onSubmit={submit} noValidate>
      {error !== undefined && <Failure error={error} />}
      <TextField label={texts.email} type="email" error={at.email} value={email} onChange={setEmail} />
      <RoleField role={role} upTo={me.role} error={at.role} onChange={setRole} />
      <ExpiryField
        label={texts.expiry}
        hours={hours}
        options={texts.expiries}
        error={at.expiresAt}
        onChange={setHours}
      />
      <AsCode snippets={snippetsOf(workspace, body, hours)} />
      <div className={surface.dialogActions}>
        <Button onClick={onClose} disabled={isBusy}>
          {uiTexts.cancel}
        </Button>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {texts.invite}
        </Button>
      </div>
    </form>
  );
}

/** Without hours the service decides. */
function endOf(hours: number): { expiresAt?: string } {
  const expiresAt = endAfter(hours, systemClock.nowMs());
  return expiresAt === undefined ? {} : { expiresAt };
}

function snippetsOf(workspace: string, body: InvitationInput, hours: number) {
  const end = hours === 0 ? '' : ` --expires-after ${hours}h`;
  const cli = `slipway invitation create ${shellWord(body.email)} --role ${body.role}${end}`;
  const what = { path: 'invitations', call: 'const { token } = await client.invitations.create' };
  return workspaceSnippets({ workspace, what, body, cli });
}
