import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
const BOUNDARY = 'almirah-bench-boundary';

/** An API client, signed in as the first user of a firm. */
export class Client {
  readonly url: string;
  readonly token: string;
  readonly email: string;
  readonly password: string;

  private constructor(url: string, token: string, { email, password }: { email: string; password: string }) {
    this.url = url;
    this.token = token;
    this.email = email;
    this.password = password;
  }

  /** Registers a firm and starts its trial, since the transfers need its 5 GB. */
  static async register(url: string): Promise<Client> {
    const csrf = await fetch(`${url}/sanctum/csrf-cookie`);
    const cookie = /XSRF-TOKEN=([^;]+)/.exec(csrf.headers.get('set-cookie') ?? '')?.[1] ?? '';
    const password = randomBytes(12).toString('hex');
    const email = `bench-${randomBytes(6).toString('hex')}@example.in`;
    const answer = await fetch(`${url}/api/auth/register`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Cookie: csrf.headers
          .getSetCookie()
          .map((cookie) => cookie.split(';')[0])
          .join('; '),
        'X-XSRF-TOKEN': decodeURIComponent(cookie),
      },
      body: JSON.stringify({
        name: 'Bench Mark',
        email,
        password,
        password_confirmation: password,
        ca_license_number: 'BENCH001',
        phone: '9000000000',
        firm_name: 'Bench & Co',
        terms_accepted: true,
      }),
    });
    const body = (await answer.json()) as { data?: { token: string }; message?: string };
    if (!body.data) throw new Error(`Registration failed: ${body.message}`);
    const client = new Client(url, body.data.token, { email, password });
    await client.call('POST', '/api/subscription/trial/start');
    return client;
  }

  async call<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.send(method, path, body === undefined ? {} : { json: JSON.stringify(body) });
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    if ((response.statusCode ?? 500) >= 400)
      throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
    return JSON.parse(text) as T;
  }

  send(method: string, path: string, { json, range }: { json?: string; range?: string } = {}) {
    return new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = request(this.url + path, {
        method,
        agent,
        headers: {
          Authorization: `Bearer ${this.token}`,
          ...(json ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) } : {}),
          ...(range ? { Range: range } : {}),
        },
      });
      outgoing.on('response', resolve).on('error', reject);
      outgoing.end(json);
    });
  }

  /** Uploads one file of `bytes` bytes, which repeats `block`. @returns the id of the new item. */
  upload(name: string, bytes: number, block: Buffer): Promise<number> {
    const head = Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    );
    const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
    return new Promise((resolve, reject) => {
      const outgoing = request(`${this.url}/api/documents/upload`, {
        method: 'POST',
        agent,
        headers: {
          Authorization: `Bearer ${this.token}`,
          'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
          'Content-Length': head.length + bytes + tail.length,
        },
      });
      outgoing.on('error', reject);
      outgoing.on('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          if (response.statusCode === 201) resolve((JSON.parse(text) as { data: { id: number } }).data.id);
          else reject(new Error(`upload: ${response.statusCode} ${text}`));
        });
      });
      outgoing.write(head);
      pump(outgoing, bytes, block, tail);
    });
  }

  /** As `upload`, but by tus, as browsers send large files, in one request. */
  async uploadResumable(name: string, bytes: number, block: Buffer): Promise<number> {
    const tus = { Authorization: `Bearer ${this.token}`, 'Tus-Resumable': '1.0.0' };
    const created = await fetch(`${this.url}/api/documents/resumable`, {
      method: 'POST',
      headers: {
        ...tus,
        'Upload-Length': String(bytes),
        'Upload-Metadata': `filename ${Buffer.from(name).toString('base64')}`,
      },
    });
    const location = created.headers.get('location');
    if (!location) throw new Error(`upload: ${created.status} ${await created.text()}`);
    return new Promise((resolve, reject) => {
      const outgoing = request(new URL(location, this.url), {
        method: 'PATCH',
        agent,
        headers: {
          ...tus,
          'Upload-Offset': '0',
          'Content-Type': 'application/offset+octet-stream',
          'Content-Length': bytes,
        },
      });
      outgoing.on('error', reject);
      outgoing.on('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          const id = /"id":(\d+)/.exec(text)?.[1];
          if (id) resolve(Number(id));
          else reject(new Error(`upload: ${response.statusCode} ${text}`));
        });
      });
      pump(outgoing, bytes, block);
    });
  }

  /** @returns the path that downloads the item, valid for five minutes. */
  async downloadPath(id: number): Promise<string> {
    const { download_url } = await this.call<{ download_url: string }>(
      'POST',
      `/api/documents/${id}/download-token`,
    );
    return download_url;
  }

  /** Reads a response and discards it. @returns its length in bytes. */
  async drain(path: string, range?: string): Promise<number> {
    const response = await this.send('GET', path, range ? { range } : {});
    let bytes = 0;
    for await (const part of response) bytes += (part as Buffer).length;
    return bytes;
  }
}

/** Writes `bytes` bytes that repeat `block`, as fast as the connection takes them, and then `tail`. */
function pump(outgoing: ClientRequest, bytes: number, block: Buffer, tail?: Buffer): void {
  let remaining = bytes;
  const writeMore = (): void => {
    while (remaining > 0) {
      // In small pieces, since Node cannot write 2 GB at once.
      const from = (bytes - remaining) % block.length;
      const piece = block.subarray(from, from + Math.min(remaining, 1024 * 1024));
      remaining -= piece.length;
      if (!outgoing.write(piece)) {
        outgoing.once('drain', writeMore);
        return;
      }
    }
    outgoing.end(tail);
  };
  writeMore();
}
