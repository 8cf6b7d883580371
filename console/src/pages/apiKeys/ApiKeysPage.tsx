import { usePageTitle } from '../../app/usePageTitle.ts';
import { useMay } from '../../session/context.tsx';
import { ListCard } from '../../ui/ListCard.tsx';
import page from '../../ui/page.module.css';
import { ApiKeyTable } from './ApiKeyTable.tsx';
import { NewApiKeyDialog } from './NewApiKey.tsx';
import { useApiKeys } from './queries.ts';
import { texts } from './texts.ts';

export function ApiKeysPage() {
  usePageTitle(texts.title);
  const keys = useApiKeys();
  const mayCreate = useMay('api-keys:write');
  return (
    <>
      <p className={page.lead}>{texts.text}</p>
      <ListCard
        title={texts.title}
        query={keys}
        empty={{ icon: 'key', title: texts.noneTitle, text: texts.none }}
        create={mayCreate && { label: texts.create, Dialog: NewApiKeyDialog }}
      >
        {(items) => <ApiKeyTable keys={items} />}
      </ListCard>
    </>
  );
}
