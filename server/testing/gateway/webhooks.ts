import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** One webhook event. */
export interface Event {
  /** Sent as `x-razorpay-event-id`; the same for every copy and retry. */
  id: string;
  event: string;
  /** The signed bytes. */
  body: string;
}

export const hmacSha256 = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');

/** Delivers events to `url` at least once, until it responds with 2xx; late, duplicated or reordered as configured. */
export class Webhooks {
  url: string | null = null;
  secret: string;
  /** How often each event is delivered although it was accepted. */
  copies = 1;
  delayMs = 0;
  /** While true, events queue up; `release` delivers them. */
  held = false;
  /** All events in order, delivered or not. */
  readonly events: Event[] = [];
  readonly deliveries: { event: Event; status: number | null }[] = [];
  private queued: Event[] = [];
  private readonly sending = new Set<Promise<void>>();
  private readonly closing = new AbortController();

  constructor(secret: string) {
    this.secret = secret;
  }

  emit(event: string, payload: object): void {
    const body = {
      entity: 'event',
      account_id: 'acc_0000000000000',
      event,
      contains: Object.keys(payload),
      payload,
      created_at: Math.floor(Date.now() / 1000),
    };
    const signed = { id: randomUUID(), event, body: JSON.stringify(body) };
    this.events.push(signed);
    if (this.held) this.queued.push(signed);
    else for (let copy = 0; copy < this.copies; copy++) this.begin(signed);
  }

  /** Delivers the queued events, in the order that `sort` returns. */
  async release(sort: (events: Event[]) => Event[] = (events) => events): Promise<void> {
    const events = sort(this.queued);
    this.queued = [];
    for (const event of events) await this.send(event);
  }

  /** One delivery without retries. @returns the status; null without a response within 5 s. */
  async send(event: Event, headers: Record<string, string> = {}, url = this.url): Promise<number | null> {
    if (!url) return null;
    const status = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Razorpay-Webhook/v1',
        'x-razorpay-event-id': event.id,
        'x-razorpay-signature': hmacSha256(this.secret, event.body),
        ...headers,
      },
      body: event.body,
      signal: AbortSignal.any([this.closing.signal, AbortSignal.timeout(5000)]),
    }).then(
      (response) => response.status,
      () => null,
    );
    this.deliveries.push({ event, status });
    return status;
  }

  /** Resolves when no delivery is in progress. */
  async settled(): Promise<void> {
    while (this.sending.size > 0) await Promise.all(this.sending);
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.settled();
  }

  private begin(event: Event): void {
    const work = this.deliver(event).finally(() => this.sending.delete(work));
    this.sending.add(work);
  }

  private async deliver(event: Event): Promise<void> {
    await this.pause(this.delayMs);
    for (let pause = 100; !this.closing.signal.aborted && this.url; pause = Math.min(pause * 2, 3_600_000)) {
      const status = await this.send(event);
      if (status !== null && status >= 200 && status < 300) return;
      await this.pause(pause);
    }
  }

  private pause(ms: number): Promise<void> {
    return delay(ms, undefined, { signal: this.closing.signal, ref: false }).catch(() => undefined);
  }
}
