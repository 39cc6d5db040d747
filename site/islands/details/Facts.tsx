import { Copy } from 'lucide-react';
import * as t from '#messages/details.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { copyText } from '../../lib/copyText.ts';
import { fileGroup, GROUP_NAMES } from '../../lib/fileGroup.ts';
import { formatDateTime } from '../../lib/format.ts';
import { toast } from '../../lib/toast.ts';
import { Fact, Section } from './Section.tsx';
import type { PartProps } from './sections.ts';

/** Digits shown of a hash, enough to distinguish two by eye. */
const HASH_DIGITS = 12;

const copy = async (text: string) =>
  (await copyText(text)) ? toast.success(t.hashCopied) : toast.error(t.copyFailed);

export function Facts({ item, details }: PartProps) {
  const { type, file_type, file_size, size, created_at, modified_at, original_at, owner_name } = item;
  const folder = type === 'folder';
  const sha256 = details?.sha256;
  return (
    <Section title={t.facts}>
      <dl>
        {item.sent_back !== undefined && (
          <Fact term={t.sentBack}>{item.sent_back || t.sentBackToClient}</Fact>
        )}
        <Fact term={t.type}>
          {folder ? t.folder : t.typeOf(GROUP_NAMES[fileGroup(file_type)], (file_type ?? '').toUpperCase())}
        </Fact>
        {file_size !== null && (
          <Fact term={t.size}>
            <span title={t.sizeExactly(size, file_size)}>{size}</span>
          </Fact>
        )}
        <Fact term={folder ? t.created : t.uploaded}>{formatDateTime(created_at)}</Fact>
        {!folder && modified_at !== created_at && (
          <Fact term={t.modified}>{formatDateTime(modified_at)}</Fact>
        )}
        {original_at && <Fact term={t.original}>{formatDateTime(original_at)}</Fact>}
        <Fact term={t.owner}>{owner_name}</Fact>
        {sha256 && (
          <Fact term={t.sha256}>
            <span className="flex items-center gap-1">
              <code className="text-sm" title={sha256}>
                {sha256.slice(0, HASH_DIGITS)}…
              </code>
              <IconButton label={t.copyHash} size="sm" className="-my-1.5" onPress={() => void copy(sha256)}>
                <Copy aria-hidden size={14} />
              </IconButton>
            </span>
          </Fact>
        )}
      </dl>
    </Section>
  );
}
