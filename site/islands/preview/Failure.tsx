import type { ReactNode } from 'react';
import { useContext } from 'react';
import { Download, FileX2, RotateCw } from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import * as common from '#messages/common.ts';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { useItemScreen } from '../items/ItemListModel.ts';
import { SourceContext } from './source.ts';

export interface FailureProps {
  title: string;
  children?: ReactNode;
  /** The file to offer for download. */
  item?: ItemView;
  onRetry?: () => void;
  onClose?: () => void;
  /** A link that helps, before the other actions. */
  link?: { href: string; label: string };
}

/** The message for a file that cannot be shown, with its reason and actions. */
export function Failure({ title, children, item, onRetry, onClose, link }: FailureProps) {
  const { actions } = useItemScreen();
  // For an earlier version the header has the download button.
  const isVersion = useContext(SourceContext) !== null;
  return (
    <div role="alert" className="flex size-full items-center justify-center">
      <EmptyState
        icon={item ? <FileGlyph fileType={item.file_type} size={40} /> : <FileX2 size={26} />}
        title={title}
        actions={
          <>
            {link && (
              <a href={link.href} className={buttonClass('primary')}>
                {link.label}
              </a>
            )}
            {onRetry && (
              <Button variant="primary" icon={<RotateCw aria-hidden size={16} />} onPress={onRetry}>
                {common.retry}
              </Button>
            )}
            {item && !isVersion && (
              <Button
                data-needs="documents.download"
                icon={<Download aria-hidden size={16} />}
                onPress={() => void actions.download([item])}
              >
                {common.download}
              </Button>
            )}
            {onClose && <Button onPress={onClose}>{common.close}</Button>}
          </>
        }
      >
        {children ?? item?.name}
      </EmptyState>
    </div>
  );
}
