import type { ClientRequest, IncomingMessage } from 'node:http';
import { get } from 'node:http';

export interface StreamEvent {
  event: string;
  id?: string;
  // eslint-disable-next-line typescript/no-explicit-any -- a test looks at what came, whatever that is
  data: any;
}

/** An open `GET /api/events`, parsed from the wire. */
export interface EventStream {
  status: number;
  headers: IncomingMessage['headers'];
  received: StreamEvent[];
  /** Number of comments, which keep the connection open. */
  heartbeats: number;
  /** Resolves with the next event of that name after those that were taken before. */
  next(event: string): Promise<StreamEvent>;
  /** Resolves once the server has closed the stream. */
  closed: Promise<void>;
  close(): void;
}

export function openEventStream(
  base: string,
  headers: Record<string, string>,
  path = '/api/events',
): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const request: ClientRequest = get(base + path, { headers, agent: false }, (response) => {
      const wakes = new Set<() => void>();
      let taken = 0;
      let text = '';
      const stream: EventStream = {
        status: response.statusCode ?? 0,
        headers: response.headers,
        received: [],
        heartbeats: 0,
        closed: new Promise((done) => response.once('close', done)),
        close: () => request.destroy(),
        async next(event) {
          for (;;) {
            const position = stream.received.findIndex((one, index) => index >= taken && one.event === event);
            if (position >= 0) {
              taken = position + 1;
              return stream.received[position]!;
            }
            if (response.destroyed)
              throw new Error(`closed before "${event}": ${JSON.stringify(stream.received)}`);
            await new Promise<void>((wake) => void wakes.add(wake));
          }
        },
      };
      response.setEncoding('utf8');
      const wakeAll = (): void => {
        for (const wake of wakes) wake();
        wakes.clear();
      };
      response.on('error', () => {});
      response.on('close', wakeAll);
      response.on('data', (piece: string) => {
        text += piece;
        const blocks = text.split('\n\n');
        text = blocks.pop()!;
        for (const block of blocks) {
          if (block.startsWith(':')) {
            stream.heartbeats += 1;
            continue;
          }
          const fields = new Map(
            block.split('\n').map((one) => [one.slice(0, one.indexOf(':')), one.slice(one.indexOf(':') + 2)]),
          );
          const id = fields.get('id');
          const data: unknown = JSON.parse(fields.get('data') ?? 'null');
          stream.received.push({ event: fields.get('event') ?? '', data, ...(id !== undefined && { id }) });
        }
        wakeAll();
      });
      resolve(stream);
    });
    request.on('error', reject);
  });
}
