import { FolderOpen, SearchX } from 'lucide-react';
import type { EntriesView } from '#server/archive/contract.ts';
import * as t from '#messages/preview.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';

/** Explains why an archive's list is empty. */
export function ArchiveEmptyState({ view, search }: { view: EntriesView; search: string }) {
  if (search) {
    return (
      <EmptyState icon={<SearchX size={26} />} title={t.noFilesFound}>
        {t.nothingNamed(search)}
      </EmptyState>
    );
  }
  const title = view.path !== '' ? t.emptyFolder : view.skipped_count > 0 ? t.nothingToExtract : t.emptyZip;
  return (
    <EmptyState icon={<FolderOpen size={26} />} title={title}>
      {view.path === '' && view.skipped_count > 0 && t.noneAccepted}
    </EmptyState>
  );
}
