import { useState } from 'react';
import { ShieldAlert, ShieldCheck } from 'lucide-react';
import type { QuarantineState, QuarantineView, QuarantinedView } from '#server/scanning/contract.ts';
import * as t from '#messages/quarantine.ts';
import type { BadgeTone } from '../../components/Badge.tsx';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Screen } from '../../components/Screen.tsx';
import { formatBytes, formatCount, formatDateTime } from '../../lib/format.ts';
import { useKeptFocus } from '../../lib/keptFocus.ts';
import { highlightHref } from '../../lib/search.ts';
import { DecisionDialog } from './DecisionDialog.tsx';

const TONES: Record<QuarantineState, BadgeTone> = {
  waiting: 'neutral',
  infected: 'danger',
  program: 'danger',
  too_large: 'warning',
};

function QuarantineIsland({ first }: { first: QuarantineView }) {
  const [{ files, scanning, all }, setView] = useState(first);
  const [open, setOpen] = useState<{ file: QuarantinedView; what: 'release' | 'delete' } | null>(null);
  const { area, remember, restore } = useKeptFocus<HTMLUListElement>();
  const ask = (file: QuarantinedView, what: 'release' | 'delete') => {
    remember();
    setOpen({ file, what });
  };
  return (
    <>
      <Screen page title={t.quarantine} note={files.length > 0 && formatCount(files.length)}>
        {files.length === 0 ? (
          <EmptyState icon={<ShieldCheck size={26} />} title={t.none}>
            {scanning ? t.noneAbout[all ? 'all' : 'outside'] : t.noneAbout.off}
          </EmptyState>
        ) : (
          <>
            <p className="pt-2 text-muted">{t.about(files.length)}</p>
            <ul ref={area} aria-label={t.files}>
              {files.map((file) => (
                <li
                  key={file.id}
                  className="flex items-start gap-3 border-b border-line py-3 max-sm:flex-col sm:px-2"
                >
                  <ShieldAlert aria-hidden size={22} className="mt-0.5 shrink-0 text-muted max-sm:hidden" />
                  <div className="min-w-0 flex-1">
                    <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 font-medium">
                      {file.item ? (
                        <a
                          href={highlightHref({ id: file.item.id, parent_id: file.item.parent_id })}
                          className="link wrap-anywhere"
                        >
                          {file.name}
                        </a>
                      ) : (
                        <span className="wrap-anywhere">{file.name}</span>
                      )}
                      <Badge tone={TONES[file.state]}>{t.states[file.state]}</Badge>
                    </p>
                    {file.found && (
                      <p className="mt-0.5 wrap-anywhere">
                        {file.state === 'program' ? t.detectedKind(file.found) : t.virusFound(file.found)}
                      </p>
                    )}
                    <p className="mt-0.5 text-sm text-muted">
                      {[
                        file.item ? file.item.client_name : file.is_arriving ? t.arriving : t.notThere,
                        formatBytes(file.bytes),
                        formatDateTime(file.created_at),
                        t.sources[file.source],
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </p>
                  </div>
                  <div className="flex shrink-0 gap-2">
                    <Button aria-label={t.releaseOne(file.name)} onPress={() => ask(file, 'release')}>
                      {t.release}
                    </Button>
                    {(file.item || file.is_arriving) && (
                      <Button
                        variant="danger-quiet"
                        aria-label={t.removeOne(file.name)}
                        onPress={() => ask(file, 'delete')}
                      >
                        {t.remove}
                      </Button>
                    )}
                  </div>
                </li>
              ))}
            </ul>
          </>
        )}
      </Screen>
      {open && (
        <DecisionDialog
          {...open}
          onClose={() => setOpen(null)}
          onDone={(now) => {
            setView(now);
            restore();
          }}
        />
      )}
    </>
  );
}

/** The files that are held back, for an admin to release or delete. */
export const Quarantine = withErrorBoundary(QuarantineIsland);
