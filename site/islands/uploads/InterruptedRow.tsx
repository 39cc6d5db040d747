import { useRef } from 'react';
import { useStore } from '@nanostores/react';
import { CircleAlert, X } from 'lucide-react';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { plural } from '../../lib/format.ts';
import { toast } from '../../lib/toast.ts';
import { $interrupted, goOnWith } from './interrupted.ts';
import { PanelRow } from '../../components/PanelRow.tsx';

export const headingOfInterrupted = (count: number): string =>
  `${plural(count, 'upload')} ${count === 1 ? 'was' : 'were'} interrupted`;

/** What the last reload stopped, and the way to go on. A browser does not let a page open files again by itself. */
export function InterruptedRow() {
  const interrupted = useStore($interrupted, { ssr: 'initial' });
  const input = useRef<HTMLInputElement>(null);
  if (interrupted.length === 0) return null;
  const names = interrupted.slice(0, 3).map(({ name }) => name);

  function take(files: readonly File[]) {
    const others = goOnWith(files);
    if (others.length === 0) return;
    toast.error(
      others.length === 1
        ? `'${others[0]}' was not interrupted`
        : `${others.length} files were not interrupted`,
      {
        description: 'Choose the same files again, unchanged. Upload others in a folder.',
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
        <IconButton label="Dismiss interrupted uploads" size="sm" onPress={() => $interrupted.set([])}>
          <X aria-hidden size={16} />
        </IconButton>
      }
    >
      <p className="text-xs text-muted">Choose the files again to continue.</p>
      <Button
        variant="quiet"
        size="sm"
        className="-ml-2.5 text-accent-text"
        onPress={() => input.current?.click()}
      >
        Choose files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files that were interrupted"
        onChange={({ target }) => {
          take([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </PanelRow>
  );
}
