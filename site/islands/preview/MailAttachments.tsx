import { useContext } from 'react';
import { Download, FolderDown } from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import type { MailAttachment } from '#server/previews/contract.ts';
import { attachmentUrl } from '#server/previews/contract.ts';
import { extensionOf } from '#server/text/extension.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/preview.ts';
import { Button } from '../../components/Button.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { mayAddBeside } from '../seals/mayUnpack.ts';
import { SourceContext, useSource } from './source.ts';
import { useSaveAttachments } from './useSaveAttachments.ts';

interface MailAttachmentsProps {
  item: ItemView;
  attachments: readonly MailAttachment[];
}

/** The attachments of an e-mail: each can be downloaded, and saved in the folder of the e-mail. */
export function MailAttachments({ item, attachments }: MailAttachmentsProps) {
  const source = useSource(item);
  const isVersion = useContext(SourceContext) !== null;
  const { saving, save } = useSaveAttachments(item);
  const saves = !isVersion && mayAddBeside(item);
  return (
    <div className="mail-attached">
      <ul aria-label={t.attachments} className="mail-attachments">
        {attachments.map(({ index, name, size }) => (
          <li key={index}>
            {/* A plain link works, since the session cookie authenticates GET requests. */}
            <a href={attachmentUrl(source, index)} download={name} className="mail-attachment">
              <FileGlyph fileType={extensionOf(name)} size={18} />
              <span className="sr-only">{common.download}</span>
              <span className="flex min-w-0">
                <MiddleCut text={name} />
              </span>
              <span className="tabular shrink-0 text-muted">{formatBytes(size)}</span>
              <Download aria-hidden size={15} className="shrink-0 text-muted" />
            </a>
            {saves && (
              <IconButton label={t.saveAttachment(name)} onPress={() => void save(index)}>
                {saving === index ? <Spinner /> : <FolderDown aria-hidden size={16} />}
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {saves && attachments.length > 1 && (
        <Button
          icon={<FolderDown aria-hidden size={16} />}
          busy={saving === 'all'}
          onPress={() => void save('all')}
        >
          {t.saveAttachments}
        </Button>
      )}
    </div>
  );
}
