import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/** What another machine said the time was. */
export interface HeardTime {
  /** Who said it, such as `s3.ap-south-1.amazonaws.com`. */
  host: string;
  said: Date;
  /** What the machine's own clock said then, and the one that nobody sets, in ms. */
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
 * Listens to the `Date` of the answers that the server gets anyway, as from its backups' bucket, from the authority of its certificate
 * or for payments: it asks nobody for the time. Only of those over HTTPS: whoever answers there has proven to be who he is.
 */
export function hearTime({ clock = () => new Date(), ticks = () => performance.now() } = {}) {
  let latest: HeardTime | null = null;
  function note(origin: string, date: string | undefined): void {
    const said = new Date(date ?? NaN);
    if (Number.isNaN(said.getTime())) return;
    const { protocol, hostname: host } = new URL(origin);
    if (protocol === 'https:') latest = { host, said, wall: clock().getTime(), ticks: ticks() };
  }
  const ofFetch = (message: unknown): void => {
    const { request, response } = message as FetchAnswer;
    const texts = response.headers.map((one) => one.toString('latin1'));
    const header = (name: string): string | undefined => {
      const at = texts.findIndex((text, n) => n % 2 === 0 && text.toLowerCase() === name);
      return at === -1 ? undefined : texts[at + 1];
    };
    // What a cache kept says when it was kept.
    if (header('age') === undefined) note(String(request.origin), header('date'));
  };
  const ofRequest = (message: unknown): void => {
    const { request, response } = message as PlainAnswer;
    if (response.headers.age === undefined)
      note(`${request.protocol}//${request.host}`, response.headers.date);
  };
  const heard = [
    { from: channel('undici:request:headers'), by: ofFetch },
    { from: channel('http.client.response.finish'), by: ofRequest },
  ];
  for (const { from, by } of heard) from.subscribe(by);
  return {
    /** The newest; null before any. */
    latest: (): HeardTime | null => latest,
    stop(): void {
      for (const { from, by } of heard) from.unsubscribe(by);
    },
  };
}
export type Hearing = ReturnType<typeof hearTime>;
