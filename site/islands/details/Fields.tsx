import { useState } from 'react';
import * as t from '#messages/fields.ts';
import { $fieldsPanelOpen, highlightValue } from '../../lib/fields.ts';
import { useMay } from '../../lib/useMay.ts';
import { FieldsBody } from '../fields/FieldsBody.tsx';
import { TableDialog } from '../fields/TableDialog.tsx';
import { useFields } from '../fields/useFields.ts';
import { Section } from './Section.tsx';
import type { PartProps } from './sections.ts';

/** The recognised values of a document, to check and correct; a click on a value opens its page in the preview. */
export default function Fields({ item, screen }: PartProps) {
  const { data, error, isFetching, refetch, answer } = useFields(item.id);
  const may = useMay();
  const [table, setTable] = useState<number | null>(null);
  if (data?.state === 'unread' && data.type.value === null && data.fields.length === 0) return null;
  return (
    <Section
      title={t.title}
      loading={data === undefined}
      error={error}
      onRetry={refetch}
      retrying={isFetching}
    >
      {data && (
        <FieldsBody
          item={item}
          view={data}
          mayAnswer={may('documents.write')}
          onAnswer={answer}
          onShow={
            screen &&
            ((field) => {
              highlightValue(item.id, field);
              $fieldsPanelOpen.set(true);
              screen.open(item);
            })
          }
          onTable={may('documents.download') ? setTable : null}
        />
      )}
      {table !== null && <TableDialog item={item} at={table} onClose={() => setTable(null)} />}
    </Section>
  );
}
