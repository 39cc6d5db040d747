import { useState } from 'react';
import { Monitor, Smartphone } from 'lucide-react';
import type { DeviceView } from '#server/auth/contract.ts';
import * as t from '#messages/settings.ts';
import { Alert } from '../../components/Alert.tsx';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';
import { confirm } from '../../lib/confirm.ts';
import { useKeptFocus } from '../../lib/keptFocus.ts';
import { formatDateTime, relativeTime } from '../../lib/format.ts';
import { sortDevices } from './sortDevices.ts';
import { toast } from '../../lib/toast.ts';

const FIRST = 5;

const isPhone = (name: string) => /iPhone|iPad|Android/.test(name);

export interface DevicesProps {
  devices: readonly DeviceView[];
  /** The server's time in milliseconds, so that server and browser render the same. */
  now: number;
  onChange: (devices: DeviceView[]) => void;
}

export function Devices({ devices, now, onChange }: DevicesProps) {
  const [busy, setBusy] = useState<number | 'others' | null>(null);
  const [alert, setAlert] = useState<string>();
  const [showAll, setShowAll] = useState(false);
  const ordered = sortDevices(devices);
  const shown = showAll ? ordered : ordered.slice(0, FIRST);
  const others = devices.filter(({ is_current }) => !is_current);

  const { area, remember, restore } = useKeptFocus();

  async function run(
    target: number | 'others',
    work: () => Promise<unknown>,
    remaining: DeviceView[],
  ): Promise<void> {
    setBusy(target);
    setAlert(undefined);
    try {
      await work();
      onChange(remaining);
      toast.success(target === 'others' ? t.othersSignedOut : t.deviceSignedOut);
    } catch (error) {
      setAlert(messageOf(error, t.signOutFailed));
    }
    setBusy(null);
    restore();
  }

  async function signOutDevice(device: DeviceView): Promise<void> {
    remember();
    await run(
      device.id,
      () => api.delete(`/api/auth/sessions/${device.id}`),
      devices.filter(({ id }) => id !== device.id),
    );
  }

  async function all(): Promise<void> {
    remember();
    const sure = await confirm({
      title: t.signOutOthersQuestion,
      body: t.signOutOthersAbout,
      action: t.signOutTheOthers,
    });
    if (!sure) return;
    await run(
      'others',
      () => api.post('/api/auth/logout-others'),
      devices.filter(({ is_current }) => is_current),
    );
  }

  return (
    <div ref={area} className="flex flex-col items-start gap-4">
      {alert && <Alert>{alert}</Alert>}
      <ul className="w-full divide-y divide-line rounded-md border border-line">
        {shown.map((device) => {
          const Icon = isPhone(device.name) ? Smartphone : Monitor;
          return (
            <li key={device.id} className="flex items-center gap-3.5 px-3.5 py-3">
              <Icon aria-hidden size={18} className="shrink-0 text-muted" />
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
                  {device.name}
                  {device.is_current && <Badge tone="accent">{t.thisDevice}</Badge>}
                </p>
                <p
                  className="text-sm text-pretty text-muted"
                  title={t.lastUsed(formatDateTime(device.last_used_at))}
                >
                  {device.is_current
                    ? t.deviceInUse(device.place, formatDateTime(device.signed_in_at))
                    : t.deviceUsed(
                        device.place,
                        relativeTime(device.last_used_at, now),
                        formatDateTime(device.signed_in_at),
                      )}
                </p>
              </div>
              {!device.is_current && (
                <Button
                  size="sm"
                  busy={busy === device.id}
                  isDisabled={busy !== null && busy !== device.id}
                  aria-label={t.signOutDevice(device.name, device.place)}
                  onPress={() => void signOutDevice(device)}
                >
                  {t.signOut}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {shown.length < devices.length && (
        <Button variant="quiet" size="sm" onPress={() => setShowAll(true)}>
          {t.showAllDevices(devices.length)}
        </Button>
      )}
      {others.length > 0 && (
        <Button busy={busy === 'others'} onPress={() => void all()}>
          {t.signOutOthers}
        </Button>
      )}
    </div>
  );
}
