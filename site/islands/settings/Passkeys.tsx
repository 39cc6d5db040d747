import { useState } from 'react';
import { Fingerprint } from 'lucide-react';
import type { PasskeyAdded, PasskeyView } from '#server/auth/passkeys/contract.ts';
import * as t from '#messages/passkeys.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { formatDate, formatDateTime, relativeTime } from '../../lib/format.ts';
import { useKeptFocus } from '../../lib/keptFocus.ts';
import { supportsPasskeys } from '../../lib/passkeys.ts';
import { toast } from '../../lib/toast.ts';
import { useHydrated } from '../../lib/useHydrated.ts';
import { AccessRow, AccessRows } from './AccessRow.tsx';
import { AddPasskeyDialog, RemovePasskeyDialog, RenamePasskeyDialog } from './PasskeyDialogs.tsx';

type Open = { what: 'add' } | { what: 'rename' | 'remove'; passkey: PasskeyView } | null;

export interface PasskeysProps {
  passkeys: readonly PasskeyView[];
  /** Whether passkeys work at this server's address. */
  available: boolean;
  /** Whether codes from an app are set up too; then no passkey is the last second step. */
  hasCodes: boolean;
  /** The server's time in milliseconds, so that server and browser render the same. */
  now: number;
  onAdded: (added: PasskeyAdded) => void;
  onChange: (passkeys: PasskeyView[]) => void;
}

export function Passkeys({ passkeys, available, hasCodes, now, onAdded, onChange }: PasskeysProps) {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const { area, remember, restore } = useKeptFocus();
  const isOnly = passkeys.length === 1 && !hasCodes;
  const isHydrated = useHydrated();
  // Over plain http, as by an address of the office, the browser has none.
  const canAdd = available && (!isHydrated || supportsPasskeys());

  return (
    <div ref={area} className="flex flex-col items-start gap-4">
      {passkeys.length === 0 ? (
        <p className="text-muted">{t.none}</p>
      ) : (
        <AccessRows>
          {passkeys.map((passkey) => (
            <AccessRow
              key={passkey.id}
              icon={Fingerprint}
              name={passkey.name}
              actions={
                <>
                  <Button
                    size="sm"
                    aria-label={t.renameOne(passkey.name)}
                    onPress={() => setOpen({ what: 'rename', passkey })}
                  >
                    {t.rename}
                  </Button>
                  <Button
                    size="sm"
                    aria-label={t.removeOne(passkey.name)}
                    onPress={() => {
                      remember();
                      setOpen({ what: 'remove', passkey });
                    }}
                  >
                    {t.remove}
                  </Button>
                </>
              }
            >
              <p
                className="text-sm text-pretty text-muted"
                title={passkey.last_used_at ? formatDateTime(passkey.last_used_at) : undefined}
              >
                {passkey.last_used_at
                  ? t.used(formatDate(passkey.created_at), relativeTime(passkey.last_used_at, now))
                  : t.unused(formatDate(passkey.created_at))}{' '}
                · {passkey.backed_up ? t.backedUp : t.onlyHere}
              </p>
            </AccessRow>
          ))}
        </AccessRows>
      )}
      {!canAdd && <p className="text-pretty text-muted">{t.unavailable}</p>}
      {isOnly && <Alert tone="info">{t.singlePasskeyAdvice}</Alert>}
      {canAdd && <Button onPress={() => setOpen({ what: 'add' })}>{t.add}</Button>}
      {open?.what === 'add' && (
        <AddPasskeyDialog
          onClose={close}
          onAdded={(added) => {
            close();
            toast.success(t.added);
            onAdded(added);
          }}
        />
      )}
      {open?.what === 'rename' && (
        <RenamePasskeyDialog
          passkey={open.passkey}
          onClose={close}
          onRenamed={(fresh) =>
            onChange(passkeys.map((passkey) => (passkey.id === fresh.id ? fresh : passkey)))
          }
        />
      )}
      {open?.what === 'remove' && (
        <RemovePasskeyDialog
          passkey={open.passkey}
          isLast={isOnly}
          onClose={close}
          onRemoved={() => {
            onChange(passkeys.filter(({ id }) => id !== open.passkey.id));
            toast.success(t.removed);
            restore();
          }}
        />
      )}
    </div>
  );
}
