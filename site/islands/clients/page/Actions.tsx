import { useRef } from 'react';
import { FolderOpen, FolderPlus, Upload } from 'lucide-react';
import type { ClientView } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import { Button } from '../../../components/Button.tsx';
import { buttonClass } from '../../../components/buttonClass.ts';
import { clientFilesHref } from '../../../lib/search.ts';
import { upload } from '../../uploads/uploads.ts';
import type { ClientAction } from '../ClientMenu.tsx';
import { ClientMenu } from '../ClientMenu.tsx';
import { AskButton } from './AskButton.tsx';
import { DropButton } from './DropButton.tsx';
import { ShareButton } from './ShareButton.tsx';

interface ActionsProps {
  client: ClientView;
  /** Whether there are folders to share. */
  hasFolders: boolean;
  /** Whether a legal hold is on the client. */
  held: boolean;
  /** Shows a message on the page; null removes it. */
  tell: (message: string | null) => void;
  onNewFolder: () => void;
  onAction: (action: ClientAction) => void;
}

const ICON = { size: 16, 'aria-hidden': true } as const;

/** The buttons above a client's page. */
export function Actions({ client, hasFolders, held, tell, onNewFolder, onAction }: ActionsProps) {
  const files = useRef<HTMLInputElement>(null);
  const send = (chosen: FileList | null) => {
    const files = Array.from(chosen ?? [], (file) => ({ path: [], file }));
    if (files.length === 0) return;
    tell(upload({ files, emptyFolders: [], systemFiles: [] }, { parentId: null, clientId: client.id }));
  };
  return (
    <>
      <Button
        data-needs="documents.write"
        variant="primary"
        icon={<Upload {...ICON} />}
        onPress={() => files.current?.click()}
      >
        {t.upload}
      </Button>
      <input
        ref={files}
        type="file"
        multiple
        tabIndex={-1}
        aria-label={t.filesFor(client.name)}
        className="sr-only"
        onChange={({ target }) => {
          send(target.files);
          target.value = '';
        }}
      />
      <Button data-needs="documents.write" icon={<FolderPlus {...ICON} />} onPress={onNewFolder}>
        {t.newFolder}
      </Button>
      <AskButton client={client} tell={tell} />
      <DropButton client={client} />
      {hasFolders && <ShareButton client={client} tell={tell} />}
      <a href={clientFilesHref(client)} className={buttonClass('secondary')}>
        <FolderOpen {...ICON} className="max-sm:hidden" />
        {t.files}
      </a>
      <ClientMenu client={client} label={t.moreActions} page={{ held }} onAction={onAction} />
      <a href="/clients" className="link ml-1 text-sm max-sm:hidden">
        {t.allClients}
      </a>
    </>
  );
}
