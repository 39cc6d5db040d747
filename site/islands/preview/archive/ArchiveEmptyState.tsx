import { FolderOpen, SearchX } from 'lucide-react';
import type { EntriesView } from '#server/archive/contract.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';

/** Why there are no rows. */
export function ArchiveEmptyState({ view, search }: { view: EntriesView; search: string }) {
  if (search) {
    return (
      <EmptyState icon={<SearchX size={26} />} title="No files found">
        Nothing in this ZIP is named like “{search}”.
      </EmptyState>
    );
  }
  const title =
    view.path !== ''
      ? 'Folder is empty'
      : view.skipped_count > 0
        ? 'Nothing to extract'
        : 'This ZIP is empty';
  return (
    <EmptyState icon={<FolderOpen size={26} />} title={title}>
      {view.path === '' && view.skipped_count > 0 && 'None of its files is of a type that can be kept here.'}
    </EmptyState>
  );
}
