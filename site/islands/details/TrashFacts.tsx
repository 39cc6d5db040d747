import type { TrashView } from '#server/documents/trash/contract.ts';
import * as t from '#messages/details.ts';
import { heldAbout } from '#messages/holds.ts';
import { fileGroup, GROUP_NAMES } from '../../lib/fileGroup.ts';
import { formatDateTime } from '../../lib/format.ts';
import { formerPath } from '../../lib/trash.ts';
import { Fact, Section } from './Section.tsx';

/** The details of an item in Trash. Everything comes from the list; nothing is requested. */
export function TrashFacts({ item }: { item: TrashView }) {
  const { type, file_type, formatted_bytes, bytes, files } = item;
  return (
    <Section title={t.facts}>
      <dl>
        <Fact term={t.type}>
          {type === 'folder'
            ? t.folder
            : t.typeOf(GROUP_NAMES[fileGroup(file_type)], (file_type ?? '').toUpperCase())}
        </Fact>
        <Fact term={t.size}>
          <span title={t.sizeExactly(formatted_bytes, bytes)}>{formatted_bytes}</span>
        </Fact>
        {type === 'folder' && <Fact term={t.files}>{t.filesOf(files)}</Fact>}
        <Fact term={t.wasIn}>{formerPath(item)}</Fact>
        <Fact term={t.client}>{item.client_name ?? t.noClient}</Fact>
        <Fact term={t.deletedAt}>{formatDateTime(item.deleted_at)}</Fact>
        <Fact term={t.deletedBy}>{item.deleted_by_name}</Fact>
        <Fact term={t.staysUntil}>{item.held ? heldAbout : formatDateTime(item.purge_at)}</Fact>
        <Fact term={t.uploaded}>{formatDateTime(item.created_at)}</Fact>
        {item.original_at && <Fact term={t.original}>{formatDateTime(item.original_at)}</Fact>}
        <Fact term={t.owner}>{item.owner_name}</Fact>
      </dl>
    </Section>
  );
}
