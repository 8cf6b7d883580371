import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Membership } from '../../../../sdk/src/generated/types.ts';
import { type Role, rolesUpTo } from '../../lib/roles.ts';
import { absoluteTime, relativeTime } from '../../lib/time.ts';
import { useNow } from '../../lib/useNow.ts';
import { roleHint, roleName } from '../../parts/access/roles.ts';
import { session } from '../../session/browser.ts';
import { useInside, useMay } from '../../session/context.tsx';
import { Button } from '../../ui/Button.tsx';
import { Confirm, type Question } from '../../ui/Confirm.tsx';
import controls from '../../ui/controls.module.css';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Tag, Tagged } from '../../ui/Tag.tsx';
import { tell } from '../../ui/toasts.ts';
import styles from './members.module.css';
import { membersKey } from './queries.ts';
import { texts } from './texts.ts';

const nameOf = ({ email, userID }: Membership) => email ?? userID;

export function Members({ members }: { members: readonly Membership[] }) {
  const { question, setQuestion, ask, remove } = useMemberActions();
  const { me } = useInside();
  const mayWrite = useMay('memberships:write');
  const now = useNow(30_000);
  const mayChange = ({ role }: Membership) => mayWrite && rolesUpTo(me.role).some((one) => one === role);
  const columns: Column<Membership>[] = [
    { label: texts.person, isMain: true, cell: (member) => <Person member={member} /> },
    {
      label: texts.role,
      cell: (member) =>
        mayChange(member) ? (
          <RoleSelect member={member} onChange={(role) => ask(member, role)} />
        ) : (
          roleName(member.role)
        ),
    },
    {
      label: texts.joined,
      cell: ({ createdAt }) => <span title={absoluteTime(createdAt)}>{relativeTime(createdAt, now)}</span>,
    },
    {
      label: texts.actions,
      isAction: true,
      cell: (member) =>
        mayChange(member) && (
          <Button isSmall onClick={() => remove(member)} aria-label={actionName(member, me.user.id)}>
            {member.userID === me.user.id ? texts.leave : texts.remove}
          </Button>
        ),
    },
  ];
  return (
    <>
      <DataTable label={texts.title} columns={columns} rows={members} keyOf={({ userID }) => userID} />
      <Confirm question={question} onClose={() => setQuestion(undefined)} />
    </>
  );
}

const actionName = (member: Membership, own: string) =>
  member.userID === own ? texts.leave : `${texts.remove}: ${nameOf(member)}`;

/** What can be done with a member, after a question. */
function useMemberActions() {
  const { client, me } = useInside();
  const queries = useQueryClient();
  const [question, setQuestion] = useState<Question>();
  const isOwn = ({ userID }: Membership) => userID === me.user.id;
  const pathOf = ({ workspaceID, userID }: Membership) => ({ id: workspaceID, userId: userID });
  const finish = async (member: Membership, text: string) => {
    tell(text);
    // What the user may do has changed everywhere.
    if (isOwn(member)) return session.enterWorkspace(member.workspaceID);
    await queries.invalidateQueries({ queryKey: membersKey });
  };
  const ask = (member: Membership, role: Role) =>
    setQuestion({
      title: texts.changeTitle(nameOf(member), roleName(role)),
      text: texts.changeText(roleHint(role) ?? ''),
      action: texts.change,
      run: async () => {
        await client.memberships.replace(pathOf(member), { role });
        await finish(member, texts.changed);
      },
    });
  const remove = (member: Membership) =>
    setQuestion({
      title: isOwn(member) ? texts.leaveTitle : texts.removeTitle(nameOf(member)),
      text: isOwn(member) ? texts.leaveText : texts.removeText,
      action: isOwn(member) ? texts.leave : texts.remove,
      isDanger: true,
      run: async () => {
        await client.memberships.delete(pathOf(member));
        await finish(member, isOwn(member) ? texts.left : texts.removed);
      },
    });
  return { question, setQuestion, ask, remove };
}

function Person({ member }: { member: Membership }) {
  const { me } = useInside();
  const { email, emailVerified, userID } = member;
  return (
    <Tagged name={nameOf(member)} title={userID}>
      {userID === me.user.id && <Tag>{texts.you}</Tag>}
      {email && emailVerified === false && (
        <Tag look="warning" title={texts.unverifiedHint}>
          {texts.unverified}
        </Tag>
      )}
    </Tagged>
  );
}

/** Shows the role as it is until the change is confirmed. */
function RoleSelect({ member, onChange }: { member: Membership; onChange: (role: Role) => void }) {
  const { me } = useInside();
  const options = rolesUpTo(me.role);
  const choose = (value: string) => {
    const role = options.find((one) => one === value);
    if (role) onChange(role);
  };
  return (
    <select
      className={`${controls.input} ${styles.role}`}
      aria-label={texts.roleOf(nameOf(member))}
      value={member.role}
      onChange={(event) => choose(event.target.value)}
    >
      {options.map((role) => (
        <option key={role} value={role}>
          {roleName(role)}
        </option>
      ))}
    </select>
  );
}
