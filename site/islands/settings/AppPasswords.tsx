import { Suspense, lazy, useState } from 'react';
import { Copy, KeyRound } from 'lucide-react';
import type { AppPasswordView } from '#server/auth/app-passwords/contract.ts';
import * as t from '#messages/appPasswords.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Rich } from '../../components/Rich.tsx';
import { copyText } from '../../lib/copyText.ts';
import { formatDate, formatDateTime, relativeTime } from '../../lib/format.ts';
import { toast } from '../../lib/toast.ts';
import { AccessRow, AccessRows } from './AccessRow.tsx';
import type { CreatedAppPassword } from './AppPasswordDialog.tsx';
import { useRevocableList } from './useRevocableList.ts';

const AppPasswordDialog = lazy(() => import('./AppPasswordDialog.tsx'));

const copy = async (text: string) =>
  (await copyText(text)) ? toast.success(t.copied) : toast.error(t.copyBlocked);

function CopyableValue({ label, text, copyLabel }: { label: string; text: string; copyLabel: string }) {
  return (
    <div className="w-full">
      <p className="mb-1 font-medium">{label}</p>
      <div className="flex items-center gap-2 rounded-md border border-line bg-sunken py-1 pr-1 pl-3.5">
        <code className="min-w-0 flex-1 font-mono text-sm break-all select-all">{text}</code>
        <IconButton label={copyLabel} onPress={() => void copy(text)}>
          <Copy aria-hidden size={16} />
        </IconButton>
      </div>
    </div>
  );
}

export interface AppPasswordsProps {
  passwords: AppPasswordView[];
  /** The URL of the drive. */
  address: string;
  /** Whether the drive is also available over plain http. */
  plain: boolean;
  userId: number;
  email: string;
  /** The server's time in milliseconds, so that server and browser render the same. */
  now: number;
}

export function AppPasswords({ passwords: initial, address, plain, userId, email, now }: AppPasswordsProps) {
  const {
    area,
    rows: passwords,
    alert,
    revokeButton,
    add,
  } = useRevocableList(initial, {
    path: (id) => `/api/app-passwords/${id}`,
    question: ({ name }) => ({ title: t.endQuestion(name), body: t.endAbout, action: t.end }),
    ended: t.ended,
    failed: t.endFailed,
  });
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedAppPassword>();

  const whereOf = ({ folder_id, folder_name }: AppPasswordView) =>
    folder_id === null ? t.whole : (folder_name ?? t.folderGone);
  return (
    <div ref={area} className="flex flex-col items-start gap-4">
      {alert && <Alert>{alert}</Alert>}
      <div className="w-full">
        <CopyableValue label={t.address} text={address} copyLabel={t.copyAddress} />
        <p className="mt-1.5 text-sm text-pretty text-muted">
          <Rich text={t.addressHint(email)} />
        </p>
        {address.startsWith('http:') && !plain && (
          <p className="mt-1.5 text-sm text-pretty text-muted">{t.plainAddress}</p>
        )}
      </div>
      {passwords.length === 0 ? (
        <p className="text-muted">{t.none}</p>
      ) : (
        <AccessRows>
          {passwords.map((password) => (
            <AccessRow
              key={password.id}
              icon={KeyRound}
              name={password.name}
              actions={
                <Button size="sm" aria-label={t.endOne(password.name)} {...revokeButton(password)}>
                  {t.end}
                </Button>
              }
            >
              <p className="text-sm break-words text-muted">
                {whereOf(password)} · {password.read_only ? t.mayRead : t.mayChange}
              </p>
              <p
                className="text-sm text-muted"
                title={password.last_used_at ? formatDateTime(password.last_used_at) : undefined}
              >
                {password.last_used_at === null
                  ? t.unused(formatDate(password.created_at))
                  : t.used(password.last_place ?? '', relativeTime(password.last_used_at, now))}
              </p>
            </AccessRow>
          ))}
        </AccessRows>
      )}
      <Button onPress={() => setCreating(true)}>{t.create}</Button>
      {creating && (
        <Suspense>
          <AppPasswordDialog
            userId={userId}
            onClose={() => setCreating(false)}
            onCreated={(fresh) => {
              const { password: _, ...view } = fresh;
              add(view);
              setCreated(fresh);
              setCreating(false);
            }}
          />
        </Suspense>
      )}
      {created && (
        <Dialog
          title={t.madeTitle}
          isOpen
          onOpenChange={() => {}}
          isKeyboardDismissDisabled
          hasClose={false}
          size="md"
        >
          <DialogBody className="flex flex-col gap-4">
            <p className="text-pretty text-muted">
              <Rich text={t.madeAbout(created.name)} />
            </p>
            <CopyableValue label={t.password} text={created.password} copyLabel={t.copyPassword} />
            <CopyableValue label={t.address} text={address} copyLabel={t.copyAddress} />
            <p className="text-sm text-muted">
              <Rich text={t.addressHint(email)} />
            </p>
          </DialogBody>
          <DialogFooter>
            <Button variant="primary" onPress={() => setCreated(undefined)}>
              {t.done}
            </Button>
          </DialogFooter>
        </Dialog>
      )}
    </div>
  );
}
