import { usePageTitle } from '../../app/usePageTitle.ts';
import { useMay } from '../../session/context.tsx';
import { Card } from '../../ui/Card.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Invitations } from './Invitations.tsx';
import { Members } from './Members.tsx';
import styles from './members.module.css';
import { useMembers } from './queries.ts';
import { texts } from './texts.ts';

export function MembersPage() {
  usePageTitle(texts.title);
  const members = useMembers();
  const seesMembers = useMay('memberships:read');
  const seesInvitations = useMay('invitations:read');
  return (
    <div className={styles.stack}>
      <Card title={texts.title}>
        {seesMembers ? (
          <Loaded query={members}>{(data) => <Members members={data} />}</Loaded>
        ) : (
          <Empty icon="key" title={texts.forbiddenTitle} text={texts.forbiddenText} />
        )}
      </Card>
      {seesInvitations && <Invitations />}
    </div>
  );
}
