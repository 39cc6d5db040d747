import { execFile } from 'node:child_process';
import type { Logger } from 'pino';

/**
 * Tells systemd how the service is, where it is one (`Type=notify`): when it is ready, that it stops, and again and again
 * that it lives, so that one which hangs is started anew. Node has no sockets of the kind that systemd listens at, so
 * systemd's own program is asked, a few milliseconds twice in a watchdog's time.
 */
export function createNotifier(env: Record<string, string | undefined>, log: Pick<Logger, 'warn'>) {
  const on = Boolean(env.NOTIFY_SOCKET);
  const every = Number(env.WATCHDOG_USEC) / 1000 / 2;
  let timer: NodeJS.Timeout | undefined;
  let complained = false;

  function tell(...words: string[]): void {
    if (!on) return;
    execFile('systemd-notify', words, (error) => {
      if (error && !complained) log.warn({ err: error }, 'systemd could not be told how the service is');
      complained ||= Boolean(error);
    });
  }
  function live(): void {
    if (on && every > 0) timer ??= setInterval(() => tell('WATCHDOG=1'), every).unref();
  }
  return {
    /** Waits for its passphrase: alive, and not to be started anew for it. */
    locked(): void {
      tell('--ready', 'STATUS=Locked: waits for its passphrase');
      live();
    },
    ready(): void {
      tell('--ready', 'STATUS=Answering');
      live();
    },
    stopping(): void {
      clearInterval(timer);
      tell('STOPPING=1', 'STATUS=Ending what is under way');
    },
  };
}
export type Notifier = ReturnType<typeof createNotifier>;
