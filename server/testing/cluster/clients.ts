import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { forge } from '../../archive/read/testing/forge.ts';
import type { GatewayEmulator } from '../gateway/emulator.ts';
import { ASHA } from '../http-world.ts';
import type { TestResponse } from '../visitor.ts';
import { Visitor } from '../visitor.ts';
import { PIECE_HEADERS, sendHalf, TUS_HEADERS } from './half-sent.ts';

const SMALL_BYTES = 20_000;
const PIECES_PER_UPLOAD = 4;
/** What each archive holds in its folder Vouchers. */
export const ENTRY_NAMES: readonly string[] = Array.from({ length: 40 }, (_, n) => `${n}.txt`).toSorted();
const ARCHIVE_PASSWORD = 'open';
/** Clients of one firm work beside each other in the same folder. */
const CLIENTS_PER_FIRM = 2;

/** One action of a client, from its first try to its answer. Times are those of `performance.now()`. */
export interface TimedAction {
  what: string;
  from: number;
  to: number;
  /** The duration of each try, in ms. */
  tries: number[];
}

/** A file whose upload was confirmed. */
export interface ConfirmedFile {
  id: number;
  name: string;
  sha256: string;
}

/** A firm, and everything that the server has confirmed to it. */
export interface Firm {
  owner: Visitor;
  files: ConfirmedFile[];
  /** Names of the folders that archives were unpacked into. */
  folders: string[];
  payments: number;
}

export interface Clients {
  firms: Firm[];
  actions: TimedAction[];
  /** Number of extractions that failed and were started again, as a person does with the button. */
  retriedExtractions(): number;
  /** @throws the error that made a client stop. */
  check(): void;
  /** Lets each client finish its current round of actions. @throws like `check`. */
  end(): Promise<void>;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const encodeMetadata = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([key, text]) => `${key} ${Buffer.from(text).toString('base64')}`)
    .join(',');

/** Registers a firm for every two clients, and runs all clients until `end` is called. */
export async function startClients(
  { base, db, gateway }: { base: string; db: Knex; gateway: GatewayEmulator },
  { count, largeBytes, pauseMs }: { count: number; largeBytes: number; pauseMs: number },
): Promise<Clients> {
  const firms: Firm[] = [];
  const actions: TimedAction[] = [];
  let stopping = false;
  let retriedExtractions = 0;

  /** Repeats a call while no server answers, or one answers that it cannot now. @throws for any other answer than 2xx. */
  async function callUntilAnswered(
    what: string,
    call: () => Promise<TestResponse | null>,
  ): Promise<TestResponse> {
    const from = performance.now();
    const tries: number[] = [];
    for (;;) {
      const began = performance.now();
      const response = await call().catch(() => null);
      tries.push(performance.now() - began);
      if (response && response.status < 500 && response.status !== 409 && response.status !== 429) {
        actions.push({ what, from, to: performance.now(), tries });
        if (response.status < 300) return response;
        throw new Error(`${what} was answered ${response.status}: ${response.text}`);
      }
      await wait(50);
    }
  }

  async function uploadSmallFile({ owner, files }: Firm, name: string): Promise<ConfirmedFile> {
    return recordConfirmed(files, name, await uploadWhole(owner, name, randomBytes(SMALL_BYTES)));
  }
  function recordConfirmed(
    files: ConfirmedFile[],
    name: string,
    { id, bytes }: { id: number; bytes: Buffer },
  ) {
    const file = { id, name, sha256: sha256(bytes) };
    files.push(file);
    return file;
  }

  /** Uploads in one request, with a key by which the server recognises a second try. */
  async function uploadWhole(owner: Visitor, name: string, bytes: Buffer) {
    const fields = encodeMetadata({ filename: name, upload_key: randomUUID() });
    const headers = { ...PIECE_HEADERS, 'upload-length': String(bytes.length), 'upload-metadata': fields };
    const { json } = await callUntilAnswered('upload', () =>
      owner.call('POST', '/api/documents/resumable', { body: bytes, headers }),
    );
    return { id: json.data.id as number, bytes };
  }

  /** Uploads in pieces. Every second one is cut off halfway, and the next continues from the offset that the server reports. */
  async function uploadLargeFile({ owner, files }: Firm, name: string): Promise<void> {
    const bytes = randomBytes(largeBytes);
    const fields = encodeMetadata({ filename: name, upload_key: randomUUID() });
    const headers = { ...TUS_HEADERS, 'upload-length': String(bytes.length), 'upload-metadata': fields };
    const creation = await callUntilAnswered('upload', () =>
      owner.post('/api/documents/resumable', undefined, { headers }),
    );
    const path = creation.headers.get('location')!;
    const pieceLength = Math.ceil(bytes.length / PIECES_PER_UPLOAD);
    for (let n = 0; ; n += 1) {
      const progress = await callUntilAnswered('upload', () =>
        owner.call('HEAD', path, { headers: TUS_HEADERS }),
      );
      const offset = Number(progress.headers.get('upload-offset'));
      if (offset === bytes.length) break;
      const part = bytes.subarray(offset, offset + pieceLength);
      if (n % 2 === 0) {
        const half = part.subarray(0, part.length >> 1);
        const socket = await sendHalf(owner, path, half, { offset, length: part.length });
        await wait(20);
        socket.destroy();
      } else {
        const body = { body: part, headers: { ...PIECE_HEADERS, 'upload-offset': String(offset) } };
        await owner.call('PATCH', path, body).catch(() => {});
      }
    }
    const { json } = await callUntilAnswered('upload', () => owner.get(path));
    recordConfirmed(files, name, { id: json.data.id, bytes });
  }

  async function uploadAndRename(firm: Firm, name: string): Promise<void> {
    const file = await uploadSmallFile(firm, name);
    const renamed = `renamed ${name}`;
    await callUntilAnswered('rename', () =>
      firm.owner.call('PATCH', `/api/documents/${file.id}/rename`, { body: { name: renamed } }),
    );
    file.name = renamed;
  }

  async function listAndSearch({ owner }: Firm): Promise<void> {
    await callUntilAnswered('list', () => owner.get('/api/documents'));
    await callUntilAnswered('list', () => owner.get('/api/documents/search?query=client'));
  }

  async function uploadAndUnpack(
    { owner, files, folders }: Firm,
    name: string,
    locked: boolean,
  ): Promise<void> {
    const password = locked ? { password: ARCHIVE_PASSWORD } : {};
    const entries = ENTRY_NAMES.map((entry) => ({
      name: `Vouchers/${entry}`,
      data: `${entry} of ${name}`,
      ...password,
    }));
    const { id } = recordConfirmed(
      files,
      `${name}.zip`,
      await uploadWhole(owner, `${name}.zip`, forge(entries)),
    );
    const from = performance.now();
    let failedJob: number | null = null;
    for (;;) {
      const job: number = await startUnpacking(owner, id, {
        ...password,
        ...(failedJob && { again: failedJob }),
      });
      const status = await waitForExtraction(owner, job);
      if (status === 'completed') break;
      retriedExtractions += 1;
      failedJob = job;
    }
    actions.push({ what: 'extraction', from, to: performance.now(), tries: [performance.now() - from] });
    folders.push(name);
  }
  /** After a lost answer, looks first whether the extraction was started, as the screen does. */
  async function startUnpacking(owner: Visitor, id: number, body: { again?: number }): Promise<number> {
    let mayHaveStarted = false;
    const { json } = await callUntilAnswered('extraction begun', async () => {
      if (mayHaveStarted) {
        const job = await db('jobs')
          .where({ subject: `item:${id}` })
          .orderBy('id', 'desc')
          .first('id');
        if (job && job.id !== body.again) return owner.get(`/api/documents/extraction-status/${job.id}`);
      }
      mayHaveStarted = true;
      return owner.post(`/api/documents/${id}/extract`, body);
    });
    return json.data.id;
  }
  async function waitForExtraction(owner: Visitor, job: number): Promise<string> {
    for (; ; await wait(100)) {
      const { json } = await callUntilAnswered('list', () =>
        owner.get(`/api/documents/extraction-status/${job}`),
      );
      const { status, message } = json.data;
      if (status === 'completed' || status === 'failed') return status;
      if (status === 'cancelled') throw new Error(`Nobody cancelled an extraction: ${message}`);
    }
  }

  /** Confirms a payment as the browser does, while the gateway's webhook reports it too. */
  async function pay(firm: Firm): Promise<void> {
    const plan = { plan_id: 2, billing_cycle: 'monthly' };
    const order = await callUntilAnswered('payment', () => firm.owner.post('/api/subscription/order', plan));
    const { order_id, subscription_id } = order.json.data;
    const proof = gateway.proof(gateway.ledger.pay(order_id).id);
    await callUntilAnswered('payment', () =>
      firm.owner.post('/api/subscription/verify-payment', { subscription_id, ...proof }),
    );
    firm.payments += 1;
  }

  async function runClient(client: number): Promise<void> {
    const firm = firms[Math.floor(client / CLIENTS_PER_FIRM)]!;
    const pays = client % CLIENTS_PER_FIRM === 0;
    for (let n = client; !stopping; n += 1) {
      const name = `client ${client}, ${n}`;
      if (n % 5 === 0) await uploadLargeFile(firm, `${name}.pdf`);
      else if (n % 5 === 1) await uploadAndRename(firm, `${name}.pdf`);
      else if (n % 5 === 2) await uploadAndUnpack(firm, name, n % 2 === 0);
      else if (n % 5 === 3) await uploadSmallFile(firm, `${name}.pdf`);
      else if (pays) await pay(firm);
      await wait(pauseMs);
      await listAndSearch(firm);
      await wait(pauseMs);
    }
  }

  for (let n = 0; n < count / CLIENTS_PER_FIRM; n += 1) {
    const owner = await new Visitor(base).arrive();
    const registration = { ...ASHA, email: `owner${n}@rao.in`, phone: `98765432${10 + n}` };
    const { status, text } = await owner.post('/api/auth/register', registration);
    if (status !== 201) throw new Error(`No firm was registered: ${text}`);
    firms.push({ owner, files: [], folders: [], payments: 0 });
  }
  const running = Promise.all(Array.from({ length: count }, (_, client) => runClient(client)));
  let problem: unknown;
  running.catch((error: unknown) => (problem ??= error));
  return {
    firms,
    actions,
    retriedExtractions: () => retriedExtractions,
    check() {
      if (problem !== undefined) throw problem;
    },
    async end() {
      stopping = true;
      await running;
    },
  };
}
