import { Pencil, Unlink } from 'lucide-react';
import type { ShareState, ShareView } from '#server/sharing/contract.ts';
import * as t from '#messages/sharing.ts';
import type { BadgeTone } from '../../components/Badge.tsx';
import { Badge } from '../../components/Badge.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { formatDate, formatDateTime } from '../../lib/format.ts';
import { driveHref } from '../../lib/driveLocation.ts';
import { highlightHref } from '../../lib/search.ts';
import { describeItems } from '../sharing/describeItems.ts';
import { EntryRow } from './EntryRow.tsx';
import { joinFacts, openingFacts } from './facts.ts';
import { WithheldFiles } from './WithheldFiles.tsx';

const TONES: Record<ShareState, BadgeTone> = {
  open: 'success',
  ended: 'neutral',
  used_up: 'neutral',
  revoked: 'neutral',
  gone: 'warning',
};
/** Items listed by name. */
const SHOWN = 3;

export interface ShareRowProps {
  share: ShareView;
  /** The current time in milliseconds. */
  now: number;
  selected: boolean;
  onSelect: (on: boolean) => void;
  onChange: () => void;
  onRevoke: () => void;
}

/** A shared link: its items, recipients, terms and use. */
export function ShareRow({ share, now, selected, onSelect, onChange, onRevoke }: ShareRowProps) {
  const { items, state, client, recipients } = share;
  const contents = items.length === 0 ? t.contentsGone : describeItems(items);
  const canEnd = state !== 'revoked';
  const [first] = items;
  const to =
    share.audience === 'anyone' ? t.openTo.anyone : t.openTo.named(recipients.map(({ email }) => email));
  const terms = [
    t.modes[share.mode],
    share.has_password && t.withPassword,
    share.mask_aadhaar && t.masked,
    share.on_portal && t.onPage,
    t.until(formatDate(share.expires_on)),
    t.made(formatDateTime(share.created_at), share.made_by.name),
  ];
  const use = [
    ...openingFacts(share, now),
    (share.downloads > 0 || share.max_downloads !== null) &&
      t.downloaded(share.downloads, share.max_downloads),
  ];
  return (
    <EntryRow
      entryKey={`link-${share.id}`}
      icon={<FileGlyph fileType={first?.type === 'file' ? first.file_type : null} size={24} />}
      canEnd={canEnd}
      selectLabel={t.choose(contents)}
      selected={selected}
      onSelect={onSelect}
      actions={
        canEnd && (
          <>
            <IconButton label={t.changeLink(contents)} onPress={onChange}>
              <Pencil aria-hidden size={16} />
            </IconButton>
            <IconButton label={t.revokeLink(contents)} onPress={onRevoke}>
              <Unlink aria-hidden size={16} />
            </IconButton>
          </>
        )
      }
      heading={
        <>
          {items.length === 0 && <span className="text-muted">{contents}</span>}
          {items.slice(0, SHOWN).map((item, index, { length }) => (
            <span key={item.id}>
              <a
                href={item.type === 'folder' ? driveHref({ folderId: item.id }) : highlightHref(item)}
                className="rounded-xs wrap-anywhere text-text no-underline underline-offset-2 hover:underline pointer-coarse:underline pointer-coarse:decoration-line-strong"
              >
                {item.name}
              </a>
              {index < length - 1 && ','}
            </span>
          ))}
          {items.length > SHOWN && <span className="text-muted">{t.moreItems(items.length - SHOWN)}</span>}
          <Badge tone={TONES[state]}>{t.states[state]}</Badge>
        </>
      }
      recipient={
        <>
          {to}
          {client && <span className="text-muted"> · {client.name}</span>}
        </>
      }
      lines={[
        joinFacts(terms),
        joinFacts(use),
        ...(state === 'gone' ? [t.stateHints.gone] : []),
        ...(state === 'open' && share.mask_aadhaar ? [<WithheldFiles key="withheld" share={share} />] : []),
      ]}
    />
  );
}
