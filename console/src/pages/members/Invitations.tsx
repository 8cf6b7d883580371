import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invitation, Membership } from '../../../../sdk/src/generated/types.ts';
import { absoluteTime, dueTime } from '../../lib/time.ts';
import { useNow } from '../../lib/useNow.ts';
import { roleName } from '../../parts/access/roles.ts';
import { useInside, useMay } from '../../session/context.tsx';
import { Button } from '../../ui/Button.tsx';
import { Confirm, type Question } from '../../ui/Confirm.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { ListCard } from '../../ui/ListCard.tsx';
import page from '../../ui/page.module.css';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { tell, tellFailure } from '../../ui/toasts.ts';
import { Invite } from './Invite.tsx';
import { invitationsKey, useInvitations, useMembers } from './queries.ts';
import { texts } from './texts.ts';

export function Invitations() {
  const invitations = useInvitations();
  const mayInvite = useMay('invitations:write');
  return (
    <ListCard
      title={texts.invitations}
      query={invitations}
      empty={{ icon: 'user', title: texts.noneTitle, text: texts.none }}
      create={mayInvite && { label: texts.invite, Dialog: Invite }}
    >
      {(items) => <List invitations={items} />}
    </ListCard>
  );
}

function List({ invitations }: { invitations: readonly Invitation[] }) {
  const { client } = useInside();
  const queries = useQueryClient();
  const mayWrite = useMay('invitations:write');
  const { data: members = [] } = useMembers();
  const [question, setQuestion] = useState<Question>();
  const now = useNow(30_000);
  const revoke = ({ id, workspaceID, email }: Invitation) =>
    setQuestion({
      title: texts.revokeTitle(email),
      text: texts.revokeText,
      action: texts.revoke,
      isDanger: true,
      run: async () => {
        await client.invitations.delete({ id: workspaceID, invitationId: id });
        tell(texts.revoked);
        await queries.invalidateQueries({ queryKey: invitationsKey });
      },
    });
  const columns: Column<Invitation>[] = [
    { label: texts.email, isMain: true, cell: ({ email }) => email },
    { label: texts.role, cell: ({ role }) => roleName(role) },
    { label: texts.state, cell: ({ state }) => <StateBadge state={badgeOf(state)} /> },
    { label: texts.invitedBy, cell: ({ invitedBy }) => personOf(members, invitedBy) },
    {
      label: texts.expires,
      cell: ({ expiresAt, state }) =>
        state === 'Pending' && <span title={absoluteTime(expiresAt)}>{dueTime(expiresAt, now)}</span>,
    },
    ...(invitations.some(({ delivery }) => delivery) ? [mailColumn] : []),
    {
      label: texts.actions,
      isAction: true,
      cell: (one) =>
        mayWrite &&
        one.state === 'Pending' && (
          <span className={page.actions}>
            {isResendable(one) && <Resend invitation={one} />}
            <Button isSmall onClick={() => revoke(one)} aria-label={`${texts.revoke}: ${one.email}`}>
              {texts.revoke}
            </Button>
          </span>
        ),
    },
  ];
  return (
    <>
      <DataTable label={texts.invitations} columns={columns} rows={invitations} keyOf={({ id }) => id} />
      <Confirm question={question} onClose={() => setQuestion(undefined)} />
    </>
  );
}

/** What is on its way arrives without it. */
const isResendable = (one: Invitation) => ['Sent', 'Retrying', 'Failed'].includes(one.delivery?.state ?? '');

function Resend({ invitation: { id, workspaceID, email } }: { invitation: Invitation }) {
  const { client } = useInside();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const resend = () => {
    setBusy(true);
    void client.invitations
      .resend({ id: workspaceID, invitationId: id })
      .then(() => tell(texts.resent(email)), tellFailure)
      .then(() => queries.invalidateQueries({ queryKey: invitationsKey }))
      .finally(() => setBusy(false));
  };
  return (
    <Button isSmall isBusy={isBusy} onClick={resend} aria-label={`${texts.resend}: ${email}`}>
      {texts.resend}
    </Button>
  );
}

const mailColumn: Column<Invitation> = {
  label: texts.mail,
  cell: ({ delivery }) => {
    const { state, error } = delivery ?? {};
    const names: Readonly<Record<string, string>> = texts.mailStates;
    if (state === undefined) return null;
    return (
      <span title={error}>{error ? `${names[state] ?? state}: ${error}` : (names[state] ?? state)}</span>
    );
  },
};

/** Nothing is on its way: an invitation waits for a person. */
const badgeOf = (state: string) => (state === 'Pending' ? 'pending' : state);

function personOf(members: readonly Membership[], userId: string | undefined): string {
  return members.find(({ userID }) => userID === userId)?.email ?? userId ?? '';
}
