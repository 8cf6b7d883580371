import { useState } from 'react';
import { usePageTitle } from '../../app/usePageTitle.ts';
import { useMay } from '../../session/context.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { ApiKeyTable } from './ApiKeyTable.tsx';
import styles from './apiKeys.module.css';
import { NewApiKeyDialog } from './NewApiKey.tsx';
import { useApiKeys } from './queries.ts';
import { texts } from './texts.ts';

export function ApiKeysPage() {
  usePageTitle(texts.title);
  const keys = useApiKeys();
  const [isCreating, setCreating] = useState(false);
  const create = useMay('api-keys:write') && (
    <Button icon="plus" onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  return (
    <>
      <p className={styles.text}>{texts.text}</p>
      <Card title={texts.title} action={create}>
        <Loaded query={keys}>
          {(data) =>
            data.length === 0 ? (
              <Empty icon="key" title={texts.noneTitle} text={texts.none} />
            ) : (
              <ApiKeyTable keys={data} />
            )
          }
        </Loaded>
      </Card>
      <NewApiKeyDialog isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  );
}
