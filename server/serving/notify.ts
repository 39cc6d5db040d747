import { execFile } from 'node:child_process';
import type { Logger } from 'pino';

/**
 * Notifies systemd (`Type=notify`): ready, stopping, and the watchdog heartbeat, so that a hanging service is
 * restarted. Node cannot send to unix datagram sockets, so this runs `systemd-notify`: a few milliseconds,
 * twice per watchdog interval.
 */
export function createNotifier(env: Record<string, string | undefined>, log: Pick<Logger, 'warn'>) {
  const on = Boolean(env.NOTIFY_SOCKET);
  const every = Number(env.WATCHDOG_USEC) / 1000 / 2;
  let timer: NodeJS.Timeout | undefined;
  let complained = false;

  function notify(...words: string[]): void {
    if (!on) return;
    execFile('systemd-notify', words, (error) => {
      if (error && !complained) log.warn({ err: error }, 'systemd could not be told how the service is');
      complained ||= Boolean(error);
    });
  }
  function live(): void {
    if (on && every > 0) timer ??= setInterval(() => notify('WATCHDOG=1'), every).unref();
  }
  return {
    /** Waiting for the passphrase: alive, so systemd must not restart it. */
    locked(): void {
      notify('--ready', 'STATUS=Locked: waits for its passphrase');
      live();
    },
    ready(): void {
      notify('--ready', 'STATUS=Answering');
      live();
    },
    stopping(): void {
      clearInterval(timer);
      notify('STOPPING=1', 'STATUS=Ending what is under way');
    },
  };
}
export type Notifier = ReturnType<typeof createNotifier>;
