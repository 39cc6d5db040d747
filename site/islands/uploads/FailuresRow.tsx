import { memo, useState } from 'react';
import { CircleAlert, RotateCw, X } from 'lucide-react';
import * as t from '#messages/uploadPanel.ts';
import * as common from '#messages/common.ts';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { PanelRow } from '../../components/PanelRow.tsx';
import type { Failures } from './rows.ts';
import { headingOfFailures } from './rows.ts';
import { queue } from './uploads.ts';

/** The maximum number of lines. */
const MOST_LINES = 200;

/** Uploads that failed for the same reason: one row, which expands to a line for each. */
export const FailuresRow = memo(
  Lines,
  ({ failures: a }, { failures: b }) =>
    a.id === b.id &&
    a.uploads.length === b.uploads.length &&
    a.uploads.every((upload, index) => upload.id === b.uploads[index]?.id),
);

function Lines({ failures }: { failures: Failures }) {
  const { uploads, refused } = failures;
  const [open, setOpen] = useState(false);
  const ids = uploads.map(({ id }) => id);
  const heading = headingOfFailures(failures);
  const folders = new Set(uploads.map(({ path }) => path.join('/'))).size;
  return (
    <PanelRow
      icon={<CircleAlert aria-hidden size={20} className="text-danger-text" />}
      name={heading}
      detail={folders > 1 ? t.inFolders(folders) : (uploads[0]?.path.join(' / ') ?? '')}
      failed
      progress={null}
      done={false}
      data={{ 'data-failures': uploads.length }}
      actions={
        <>
          {!refused && (
            <IconButton label={t.retryUploads(uploads.length)} size="sm" onPress={() => queue.retry(ids)}>
              <RotateCw aria-hidden size={16} />
            </IconButton>
          )}
          <IconButton label={t.removeHeading(heading)} size="sm" onPress={() => queue.clear(ids)}>
            <X aria-hidden size={16} />
          </IconButton>
        </>
      }
    >
      <Button
        variant="quiet"
        size="sm"
        className="-ml-2.5 text-accent-text"
        aria-expanded={open}
        onPress={() => setOpen(!open)}
      >
        {open ? t.hideFiles : t.showFiles}
      </Button>
      {open && (
        <ul aria-label={heading} className="flex flex-col gap-1 pb-1 text-xs break-words text-muted">
          {uploads.slice(0, MOST_LINES).map(({ id, name, path }) => (
            <li key={id}>
              {path.length > 0 && <span>{path.join(' / ')} / </span>}
              <span className="text-text">{name}</span>
            </li>
          ))}
          {uploads.length > MOST_LINES && <li>{common.andMore(uploads.length - MOST_LINES)}</li>}
        </ul>
      )}
    </PanelRow>
  );
}
