import { Download } from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import { extensionOf, formatBytes } from '#server/documents/contract.ts';
import type { FileView, MailPerson } from '#server/previews/contract.ts';
import { attachmentUrl } from '#server/previews/contract.ts';
import { FileGlyph } from '../../../components/FileGlyph.tsx';
import { MiddleCut } from '../../../components/MiddleCut.tsx';
import { Frame, RemotePictures } from './DocumentFrame.tsx';

type Mail = Extract<FileView, { kind: 'mail' }>;

const WHEN = new Intl.DateTimeFormat('en-IN', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'Asia/Kolkata',
});

const who = ({ name, address }: MailPerson): string =>
  name && address && name !== address ? `${name} <${address}>` : name || address;

function People({ label, people }: { label: string; people: MailPerson[] }) {
  const text = people.map(who).filter(Boolean).join(', ');
  if (text === '') return null;
  return (
    <div className="mail-line">
      <dt className="text-muted">{label}</dt>
      <dd className="line-clamp-3 break-words select-text">{text}</dd>
    </div>
  );
}

/** An e-mail: its head, what is attached, and its text. */
export default function MailViewer({ item, mail }: { item: ItemView; mail: Mail }) {
  const { subject, from, to, cc, sent_at, attachments, remote_pictures } = mail;
  return (
    <div className="office-room">
      <div className="mail-head">
        <h3 className="text-lg font-semibold break-words select-text">{subject || '(No subject)'}</h3>
        <dl className="mt-2 text-sm">
          <People label="From" people={from} />
          <People label="To" people={to} />
          <People label="Cc" people={cc} />
          {sent_at && (
            <div className="mail-line">
              <dt className="text-muted">Sent</dt>
              <dd className="select-text">
                <time dateTime={sent_at}>{WHEN.format(new Date(sent_at))}</time>
              </dd>
            </div>
          )}
        </dl>
        {attachments.length > 0 && (
          <ul aria-label="Attachments" className="mail-attachments">
            {attachments.map(({ index, name, size }) => (
              <li key={index} className="min-w-0">
                {/* The cookie of the session is enough to read. */}
                <a
                  href={attachmentUrl(item.id, index)}
                  download={name}
                  aria-label={`Download ${name}, ${formatBytes(size)}`}
                  className="mail-attachment"
                >
                  <FileGlyph fileType={extensionOf(name)} size={18} />
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
