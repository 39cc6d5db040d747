import { useRef, useState } from 'react';
import { Download } from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { extensionOf } from '#server/text/extension.ts';
import type { FileView, MailPerson } from '#server/previews/contract.ts';
import { attachmentUrl } from '#server/previews/contract.ts';
import * as t from '#messages/preview.ts';
import * as common from '#messages/common.ts';
import { Button } from '../../components/Button.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { formatDateTime } from '../../lib/format.ts';
import { Frame, RemotePictures } from './DocumentFrame.tsx';
import { findEach } from './find.ts';
import { useSource } from './source.ts';
import { useMarks, useSought } from './useSought.ts';

type Mail = Extract<FileView, { kind: 'mail' }>;

const who = ({ name, address }: MailPerson): string =>
  name && address && name !== address ? `${name} <${address}>` : name || address;

function People({ label, people, all }: { label: string; people: MailPerson[]; all: boolean }) {
  const named = people.filter((person) => who(person) !== '');
  if (named.length === 0) return null;
  return (
    <div className="mail-line">
      <dt className="text-muted">{label}</dt>
      <dd className={all ? 'break-words select-text' : 'truncate'}>
        {all || named.length === 1
          ? named.map(who).join(', ')
          : named.map(({ name, address }) => name || address).join(', ')}
      </dd>
    </div>
  );
}

/** An e-mail: header, attachments and text. */
export default function MailViewer({ item, mail }: { item: ItemView; mail: Mail }) {
  const { subject, from, to, cc, sent_at, attachments, remote_pictures } = mail;
  const source = useSource(item);
  const sought = useSought();
  const head = useRef<HTMLDivElement>(null);
  // Recipients are truncated to one line, unless the search matched one of them.
  const [all, setAll] = useState(
    () => sought !== null && findEach([[...from, ...to, ...cc].map(who).join(', ')], sought.words).length > 0,
  );
  useMarks(head, sought, all);
  return (
    <div className="office-room">
      <div ref={head} className="mail-head">
        <div className="flex items-start gap-3">
          <h3 className={`mail-subject min-w-0 flex-1 ${all ? '' : 'line-clamp-2'}`}>
            {subject || t.noSubject}
          </h3>
          <Button variant="quiet" aria-expanded={all} onPress={() => setAll(!all)}>
            {all ? t.hideDetails : t.details}
          </Button>
        </div>
        <dl className="mt-1 text-sm">
          <People label={t.from} people={from} all={all} />
          <People label={t.to} people={to} all={all} />
          <People label={t.cc} people={cc} all={all} />
          {sent_at && (
            <div className="mail-line">
              <dt className="text-muted">{t.sent}</dt>
              <dd className="select-text">
                <time dateTime={sent_at}>{formatDateTime(sent_at)}</time>
              </dd>
            </div>
          )}
        </dl>
        {attachments.length > 0 && (
          <ul aria-label={t.attachments} className="mail-attachments">
            {attachments.map(({ index, name, size }) => (
              <li key={index} className="min-w-0">
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
              </li>
            ))}
          </ul>
        )}
        <RemotePictures count={remote_pictures} />
      </div>
      <Frame item={item} />
    </div>
  );
}
