import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { forge } from '../../archive/read/testing/forge.ts';
import type { GatewayEmulator } from '../gateway/emulator.ts';
import { ASHA } from '../http-world.ts';
import type { TestResponse } from '../visitor.ts';
import { Visitor } from '../visitor.ts';
import { PIECE, sendHalf, TUS } from './half-sent.ts';

const SMALL = 20_000;
const PIECES = 4;
/** What each archive holds in its folder Vouchers. */
export const ENTRY_NAMES: readonly string[] = Array.from({ length: 40 }, (_, n) => `${n}.txt`).toSorted();
const PASSWORD = 'open';
/** Clients of one firm work beside each other in the same folder. */
const CLIENTS_A_FIRM = 2;

/** One thing that a client wanted, with all its tries. Times are those of `performance.now()`. */
export interface Wait {
  what: string;
  from: number;
  to: number;
  /** The duration of each try, in ms. */
  tries: number[];
}

/** A file whose upload was confirmed. */
export interface Confirmed {
  id: number;
  name: string;
  sha256: string;
}

/** What a firm was told that it has. */
export interface Firm {
  owner: Visitor;
  files: Confirmed[];
  /** Names of the folders that archives were unpacked into. */
  folders: string[];
  payments: number;
}

export interface Clients {
  firms: Firm[];
  waits: Wait[];
  /** Extractions that failed and were begun again, as a person would do by the button. */
  begunAgain(): number;
  /** @throws what made a client give up. */
  check(): void;
  /** Lets each client end what it is at. @throws as `check`. */
  end(): Promise<void>;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const metadata = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([key, text]) => `${key} ${Buffer.from(text).toString('base64')}`)
    .join(',');

/** Registers a firm for every second client, and lets all clients work until they are ended. */
export async function startClients(
  { base, db, gateway }: { base: string; db: Knex; gateway: GatewayEmulator },
  { count, largeBytes, pauseMs }: { count: number; largeBytes: number; pauseMs: number },
): Promise<Clients> {
  const firms: Firm[] = [];
  const waits: Wait[] = [];
  let ending = false;
  let begunAgain = 0;

  /** Tries until there is an answer that is not the server's own failure. @throws for an answer other than 2xx. */
  async function insist(what: string, call: () => Promise<TestResponse | null>): Promise<TestResponse> {
    const from = performance.now();
    const tries: number[] = [];
    for (;;) {
      const began = performance.now();
      const got = await call().catch(() => null);
      tries.push(performance.now() - began);
      if (got && got.status < 500 && got.status !== 409 && got.status !== 429) {
        waits.push({ what, from, to: performance.now(), tries });
        if (got.status < 300) return got;
        throw new Error(`${what} was answered ${got.status}: ${got.text}`);
      }
      await wait(50);
    }
  }

  async function small({ owner, files }: Firm, name: string): Promise<Confirmed> {
    return confirmed(files, name, await uploadWhole(owner, name, randomBytes(SMALL)));
  }
  function confirmed(files: Confirmed[], name: string, { id, bytes }: { id: number; bytes: Buffer }) {
    const file = { id, name, sha256: sha256(bytes) };
    files.push(file);
    return file;
  }

  /** In one request, with a key by which a second try is known. */
  async function uploadWhole(owner: Visitor, name: string, bytes: Buffer) {
    const fields = metadata({ filename: name, upload_key: randomUUID() });
    const headers = { ...PIECE, 'upload-length': String(bytes.length), 'upload-metadata': fields };
    const { json } = await insist('upload', () =>
      owner.call('POST', '/api/documents/resumable', { body: bytes, headers }),
    );
    return { id: json.data.id as number, bytes };
  }

  /** In pieces, each second of which is cut in its middle, and goes on from where the server says. */
  async function large({ owner, files }: Firm, name: string): Promise<void> {
    const bytes = randomBytes(largeBytes);
    const fields = metadata({ filename: name, upload_key: randomUUID() });
    const headers = { ...TUS, 'upload-length': String(bytes.length), 'upload-metadata': fields };
    const begun = await insist('upload', () =>
      owner.post('/api/documents/resumable', undefined, { headers }),
    );
    const path = begun.headers.get('location')!;
    const piece = Math.ceil(bytes.length / PIECES);
    for (let n = 0; ; n += 1) {
      const far = await insist('upload', () => owner.call('HEAD', path, { headers: TUS }));
      const offset = Number(far.headers.get('upload-offset'));
      if (offset === bytes.length) break;
      const part = bytes.subarray(offset, offset + piece);
      if (n % 2 === 0) {
        const half = part.subarray(0, part.length >> 1);
        const socket = await sendHalf(owner, path, half, { offset, length: part.length });
        await wait(20);
        socket.destroy();
      } else {
        const body = { body: part, headers: { ...PIECE, 'upload-offset': String(offset) } };
        await owner.call('PATCH', path, body).catch(() => {});
      }
    }
    const { json } = await insist('upload', () => owner.get(path));
    confirmed(files, name, { id: json.data.id, bytes });
  }

  async function rename(firm: Firm, name: string): Promise<void> {
    const file = await small(firm, name);
    const renamed = `renamed ${name}`;
    await insist('rename', () =>
      firm.owner.call('PATCH', `/api/documents/${file.id}/rename`, { body: { name: renamed } }),
    );
    file.name = renamed;
  }

  async function list({ owner }: Firm): Promise<void> {
    await insist('list', () => owner.get('/api/documents'));
    await insist('list', () => owner.get('/api/documents/search?query=client'));
  }

  async function unpack({ owner, files, folders }: Firm, name: string, locked: boolean): Promise<void> {
    const password = locked ? { password: PASSWORD } : {};
    const entries = ENTRY_NAMES.map((entry) => ({
      name: `Vouchers/${entry}`,
      data: `${entry} of ${name}`,
      ...password,
    }));
    const { id } = confirmed(files, `${name}.zip`, await uploadWhole(owner, `${name}.zip`, forge(entries)));
    const from = performance.now();
    let again: number | null = null;
    for (;;) {
      const job: number = await startUnpacking(owner, id, { ...password, ...(again && { again }) });
      const status = await ended(owner, job);
      if (status === 'completed') break;
      begunAgain += 1;
      again = job;
    }
    waits.push({ what: 'extraction', from, to: performance.now(), tries: [performance.now() - from] });
    folders.push(name);
  }
  /** Whoever reads no answer looks first whether it was begun, as the screen does. */
  async function startUnpacking(owner: Visitor, id: number, body: { again?: number }): Promise<number> {
    let lost = false;
    const { json } = await insist('extraction begun', async () => {
      if (lost) {
        const job = await db('jobs')
          .where({ subject: `item:${id}` })
          .orderBy('id', 'desc')
          .first('id');
        if (job && job.id !== body.again) return owner.get(`/api/documents/extraction-status/${job.id}`);
      }
      lost = true;
      return owner.post(`/api/documents/${id}/extract`, body);
    });
    return json.data.id;
  }
  async function ended(owner: Visitor, job: number): Promise<string> {
    for (; ; await wait(100)) {
      const { json } = await insist('list', () => owner.get(`/api/documents/extraction-status/${job}`));
      const { status, message } = json.data;
      if (status === 'completed' || status === 'failed') return status;
      if (status === 'cancelled') throw new Error(`Nobody cancelled an extraction: ${message}`);
    }
  }

  /** The browser tells of a payment while the gateway's webhook does. */
  async function pay(firm: Firm): Promise<void> {
    const asked = { plan_id: 2, billing_cycle: 'monthly' };
    const order = await insist('payment', () => firm.owner.post('/api/subscription/order', asked));
    const { order_id, subscription_id } = order.json.data;
    const proof = gateway.proof(gateway.ledger.pay(order_id).id);
    await insist('payment', () =>
      firm.owner.post('/api/subscription/verify-payment', { subscription_id, ...proof }),
    );
    firm.payments += 1;
  }

  async function work(client: number): Promise<void> {
    const firm = firms[Math.floor(client / CLIENTS_A_FIRM)]!;
    const pays = client % CLIENTS_A_FIRM === 0;
    for (let n = client; !ending; n += 1) {
      const name = `client ${client}, ${n}`;
      if (n % 5 === 0) await large(firm, `${name}.pdf`);
      else if (n % 5 === 1) await rename(firm, `${name}.pdf`);
      else if (n % 5 === 2) await unpack(firm, name, n % 2 === 0);
      else if (n % 5 === 3) await small(firm, `${name}.pdf`);
      else if (pays) await pay(firm);
      await wait(pauseMs);
      await list(firm);
      await wait(pauseMs);
    }
  }

  for (let n = 0; n < count / CLIENTS_A_FIRM; n += 1) {
    const owner = await new Visitor(base).arrive();
    const who = { ...ASHA, email: `owner${n}@rao.in`, phone: `98765432${10 + n}` };
    const { status, text } = await owner.post('/api/auth/register', who);
    if (status !== 201) throw new Error(`No firm was registered: ${text}`);
    firms.push({ owner, files: [], folders: [], payments: 0 });
  }
  const working = Promise.all(Array.from({ length: count }, (_, client) => work(client)));
  let problem: unknown;
  working.catch((error: unknown) => (problem ??= error));
  return {
    firms,
    waits,
    begunAgain: () => begunAgain,
    check() {
      if (problem !== undefined) throw problem;
    },
    async end() {
      ending = true;
      await working;
    },
  };
}
