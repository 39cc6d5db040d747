import { useRef } from 'react';
import { useStore } from '@nanostores/react';
import { CircleAlert, X } from 'lucide-react';
import * as t from '#messages/uploadPanel.ts';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { toast } from '../../lib/toast.ts';
import { $interrupted, resumeWith } from './interrupted.ts';
import { PanelRow } from '../../components/PanelRow.tsx';

export const headingOfInterrupted = (count: number): string => t.interrupted(count);

/** The uploads that the last reload interrupted. Their files are chosen again, since a page may not open files by itself. */
export function InterruptedRow() {
  const interrupted = useStore($interrupted, { ssr: 'initial' });
  const input = useRef<HTMLInputElement>(null);
  if (interrupted.length === 0) return null;
  const names = interrupted
    .slice(0, 3)
    .map(({ name, versionOf }) => (versionOf ? `${name} (${t.newVersionOf(versionOf.name)})` : name));

  function resume(files: readonly File[]) {
    const others = resumeWith(files);
    if (others.length === 0) return;
    toast.error(
      others.length === 1 ? t.notInterrupted(String(others[0])) : t.severalNotInterrupted(others.length),
      {
        description: t.chooseSame,
      },
    );
  }

  return (
    <PanelRow
      icon={<CircleAlert aria-hidden size={20} className="text-warning" />}
      name={headingOfInterrupted(interrupted.length)}
      detail={`${names.join(', ')}${interrupted.length > names.length ? ', …' : ''}`}
      failed={false}
      progress={null}
      done={false}
      data={{ 'data-interrupted': interrupted.length }}
      actions={
        <IconButton label={t.dismissInterrupted} size="sm" onPress={() => $interrupted.set([])}>
          <X aria-hidden size={16} />
        </IconButton>
      }
    >
      <p className="text-xs text-muted">{t.chooseAgain}</p>
      <Button
        variant="quiet"
        size="sm"
        className="-ml-2.5 text-accent-text"
        onPress={() => input.current?.click()}
      >
        {t.chooseFiles}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t.interruptedFiles}
        onChange={({ target }) => {
          resume([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </PanelRow>
  );
}
