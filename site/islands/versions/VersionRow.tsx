import type { Key } from 'react';
import { Download, EllipsisVertical, Eye, Pin, PinOff, RotateCcw, Trash2 } from 'lucide-react';
import { previewKind } from '#server/documents/contract.ts';
import type { VersionView } from '#server/documents/versions/contract.ts';
import * as t from '#messages/versions.ts';
import { Badge } from '../../components/Badge.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '../../components/Menu.tsx';
import { formatDateTime } from '../../lib/format.ts';
import { useMay } from '../../lib/useMay.ts';

const ICON = { size: 16, 'aria-hidden': true } as const;

export interface VersionRowProps {
  version: VersionView;
  /** When it was uploaded, in words. */
  moment: string;
  /** The file's current name and content. */
  current: VersionView;
  /** Shows the hash, and whether it equals the current content's. */
  comparing: boolean;
  /** Why it cannot be deleted; null if it can. */
  stays: string | null;
  /** The handlers of its actions; an action without a handler is not offered. */
  on: {
    preview?: () => void;
    download?: () => void;
    restore?: () => void;
    keep: () => void;
    stopKeeping: () => void;
    remove?: () => void;
  };
}

/** One version of a file: its date, its user, and its actions. */
export function VersionRow({ version, moment, current, comparing, stays, on }: VersionRowProps) {
  const may = useMay();
  const { created_at, user_name, formatted_file_size, restored_from, kept_as, replaced_at, uploaded_as } =
    version;
  const isSame = version.sha256 === current.sha256;
  const kind = previewKind(version.file_type);
  const facts = [
    t.savedBy(user_name, formatted_file_size),
    replaced_at && t.replacedOn(formatDateTime(replaced_at)),
    restored_from && t.restoredFrom(formatDateTime(restored_from)),
    version.name !== current.name && t.formerName(version.name),
    uploaded_as !== null && t.uploadedAs(uploaded_as),
  ].filter(Boolean);
  const [writes, deletes] = [may('documents.write'), may('documents.delete') && on.remove !== undefined];
  const act = (key: Key) => (on[key as keyof typeof on] ?? (() => {}))();
  return (
    <li className="flex items-start gap-1 py-2">
      <div className="min-w-0 flex-1">
        <p className="tabular flex flex-wrap items-center gap-x-2 gap-y-1">
          <time dateTime={created_at} className="font-medium">
            {moment}
          </time>
          {kept_as !== null && (
            <Badge tone="accent" className="min-w-0 max-w-full">
              <Pin aria-hidden size={12} className="shrink-0" />
              <span dir="auto" className="truncate">
                {t.kept(kept_as)}
              </span>
            </Badge>
          )}
        </p>
        <p className="tabular text-sm break-words text-muted">{facts.join(' · ')}</p>
        {comparing && (
          <div className="mt-1 text-xs text-muted">
            {version.id !== null && <p className="font-medium text-text">{isSame ? t.same : t.different}</p>}
            <p>
              {t.sha256} <code className="break-all select-all">{version.sha256}</code>
            </p>
          </div>
        )}
      </div>
      {on.preview && kind !== null && kind !== 'archive' && (
        <IconButton label={t.preview(moment)} size="sm" onPress={on.preview}>
          <Eye {...ICON} />
        </IconButton>
      )}
      {on.download && may('documents.download') && (
        <IconButton label={t.download(moment)} size="sm" onPress={on.download}>
          <Download {...ICON} />
        </IconButton>
      )}
      {(writes || deletes) && (
        <MenuTrigger>
          <IconButton label={t.more(moment)} size="sm">
            <EllipsisVertical {...ICON} />
          </IconButton>
          <Menu placement="bottom end" onAction={act}>
            {writes && on.restore && !isSame && (
              <MenuItem id="restore" icon={<RotateCcw {...ICON} />}>
                {t.restore}
              </MenuItem>
            )}
            {writes && (
              <MenuItem id="keep" icon={<Pin {...ICON} />}>
                {kept_as === null ? t.keep : t.changeKeepReason}
              </MenuItem>
            )}
            {writes && kept_as !== null && (
              <MenuItem id="stopKeeping" icon={<PinOff {...ICON} />}>
                {t.stopKeeping}
              </MenuItem>
            )}
            {writes && deletes && <MenuSeparator />}
            {deletes && (
              <MenuItem
                id="remove"
                danger
                icon={<Trash2 {...ICON} />}
                isDisabled={stays !== null}
                why={stays ?? undefined}
              >
                {t.deleteVersion}
              </MenuItem>
            )}
          </Menu>
        </MenuTrigger>
      )}
    </li>
  );
}
