import './office.css';
import { lazy, Suspense } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { ItemView } from '#server/documents/contract.ts';
import { previewKind } from '#server/documents/contract.ts';
import type { FileView } from '#server/previews/contract.ts';
import { viewUrl } from '#server/previews/contract.ts';
import { api } from '../../lib/api.ts';
import * as t from '#messages/preview.ts';
import { DocumentFrame } from './DocumentFrame.tsx';
import { Failure } from './Failure.tsx';
import { OfficeSkeleton } from './OfficeSkeleton.tsx';
import { ReadFailure } from './ReadFailure.tsx';
import { useSource } from './source.ts';

const TableViewer = lazy(() => import('./TableViewer.tsx'));
const MailViewer = lazy(() => import('./MailViewer.tsx'));

/** A spreadsheet, a document or an e-mail, as converted by the server. */
export default function OfficeViewer({ item }: { item: ItemView }) {
  const source = useSource(item);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['link', item.id, 'view', source, item.modified_at],
    queryFn: ({ signal }) => api.get<FileView>(viewUrl(source), { signal }),
    retry: false,
  });
  if (error) return <ReadFailure error={error} item={item} onRetry={() => void refetch()} />;
  const kind = previewKind(item.file_type);
  const waiting = <OfficeSkeleton kind={kind === 'table' || kind === 'mail' ? kind : 'document'} />;
  if (isPending) return waiting;
  if (data.kind === 'locked') {
    return (
      <Failure title={t.protectedFile} item={item}>
        {t.protectedFileAbout}
      </Failure>
    );
  }
  if (data.kind === 'document') return <DocumentFrame item={item} view={data} />;
  return (
    <Suspense fallback={waiting}>
      {data.kind === 'table' ? (
        <TableViewer sheets={data.sheets} name={item.name} />
      ) : (
        <MailViewer item={item} mail={data} />
      )}
    </Suspense>
  );
}
