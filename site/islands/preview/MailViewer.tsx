import { useRef, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import type { FileView, MailPerson } from '#server/previews/contract.ts';
import * as t from '#messages/preview.ts';
import { Button } from '../../components/Button.tsx';
import { formatDateTime } from '../../lib/format.ts';
import { Frame, RemotePictures } from './DocumentFrame.tsx';
import { findEach } from './find.ts';
import { MailAttachments } from './MailAttachments.tsx';
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
        {attachments.length > 0 && <MailAttachments item={item} attachments={attachments} />}
        <RemotePictures count={remote_pictures} />
      </div>
      <Frame item={item} />
    </div>
  );
}
