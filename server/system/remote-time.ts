import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/** The time that another machine reported in an HTTP response. */
export interface RemoteTime {
  /** Such as `s3.ap-south-1.amazonaws.com`. */
  host: string;
  time: Date;
  /** The local wall clock and monotonic clock at that moment, in ms. */
  wall: number;
  ticks: number;
}

interface FetchAnswer {
  request: { origin: string | URL };
  response: { headers: readonly Buffer[] };
}
interface PlainAnswer {
  request: { protocol: string; host: string };
  response: IncomingMessage;
}

/**
 * Observes the `Date` header of responses that the server receives anyway, such as from a backup bucket, the
 * certificate authority or the payment gateway; it makes no request of its own. Only https responses count,
 * because their sender is authenticated.
 */
export function watchRemoteTime({ clock = () => new Date(), ticks = () => performance.now() } = {}) {
  let latest: RemoteTime | null = null;
  function note(origin: string, date: string | undefined): void {
    const time = new Date(date ?? NaN);
    if (Number.isNaN(time.getTime())) return;
    const { protocol, hostname: host } = new URL(origin);
    if (protocol === 'https:') latest = { host, time, wall: clock().getTime(), ticks: ticks() };
  }
  const ofFetch = (message: unknown): void => {
    const { request, response } = message as FetchAnswer;
    const texts = response.headers.map((header) => header.toString('latin1'));
    const header = (name: string): string | undefined => {
      const index = texts.findIndex((text, n) => n % 2 === 0 && text.toLowerCase() === name);
      return index === -1 ? undefined : texts[index + 1];
    };
    // A cached response carries the date of its caching.
    if (header('age') === undefined) note(String(request.origin), header('date'));
  };
  const ofRequest = (message: unknown): void => {
    const { request, response } = message as PlainAnswer;
    if (response.headers.age === undefined)
      note(`${request.protocol}//${request.host}`, response.headers.date);
  };
  const subscriptions = [
    { from: channel('undici:request:headers'), by: ofFetch },
    { from: channel('http.client.response.finish'), by: ofRequest },
  ];
  for (const { from, by } of subscriptions) from.subscribe(by);
  return {
    /** The latest observation; null before the first. */
    latest: (): RemoteTime | null => latest,
    stop(): void {
      for (const { from, by } of subscriptions) from.unsubscribe(by);
    },
  };
}
