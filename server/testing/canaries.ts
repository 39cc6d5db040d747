import { createHash } from 'node:crypto';
import { Authenticator } from './passkey.ts';
import { pdf } from '../tools/samples.ts';
import { CONTENT_TYPE, filePart, multipart } from './multipart.ts';
import type { TestResponse } from './visitor.ts';
import { Visitor } from './visitor.ts';

/** A unique word, to be recognised in files, logs and the database. */
const word = (of: string): string => `Zwx${of}qvk`;

const IN_DATABASE = {
  name: word('person'),
  firm: word('firm'),
  licence: word('licence'),
  email: `${word('mail').toLowerCase()}@zwx.example`,
  phone: '9812340567',
  address: '2001:db8::7a1c',
  browser: word('browser'),
  client: word('client'),
  pan: 'ZWXPK4321Q',
  gstin: '27AAPFU0939F1ZV',
  clientEmail: `${word('client').toLowerCase()}@qvk.example`,
  clientPhone: '9812340568',
  clientNotes: word('notes'),
  city: word('city'),
  folder: word('folder'),
  file: word('file'),
  renamed: word('renamed'),
  hindi: 'विज्ञापनपत्र',
  note: word('remark'),
  label: word('label'),
  version: word('version'),
  template: word('template'),
  outline: word('outline'),
  seal: word('sealed'),
  hold: word('hold'),
  rule: word('rule'),
  pattern: word('pattern'),
  request: word('request'),
  row: word('row'),
  requestNote: word('asked'),
  requestTemplate: word('asking'),
  recipient: `${word('recipient').toLowerCase()}@zwx.example`,
  invited: `${word('invited').toLowerCase()}@zwx.example`,
  visitor: `${word('visitor').toLowerCase()}@zwx.example`,
  appPassword: word('program'),
  passkey: word('passkey'),
  device: word('device'),
  buyer: word('buyer'),
  staged: word('staged'),
} as const;
/** Words that the database only holds sealed or hashed, or that are in the bytes of files. */
const ELSEWHERE = {
  password: 'Zwx correct horse qvk',
  sharePassword: 'Zwx share horse qvk',
  content: word('content'),
  spoken: word('spoken'),
  earlier: word('earlier'),
  query: word('query'),
  path: word('path'),
  half: word('half'),
  otherHalf: word('other'),
  unsaved: word('unsaved'),
  held: word('script'),
} as const;

/** All planted words; those that the database holds in plain; and the IP address, which the log may contain. */
export const PLANTED = {
  inDatabase: Object.values(IN_DATABASE) as string[],
  address: IN_DATABASE.address as string,
  all: [...Object.values(IN_DATABASE), ...Object.values(ELSEWHERE)] as string[],
};
const P = { ...IN_DATABASE, ...ELSEWHERE };

const CSV = Buffer.from(`Words\n${P.content} ${P.hindi} ${P.pan} 71,43,926\n`);
const PAGE = pdf([[P.spoken, `PAN ${P.pan}`]]);
/** Contents of files, whose hashes must not be found either. */
export const CONTENTS = [CSV, PAGE];

const TUS = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' };
const base64 = (text: string) => Buffer.from(text).toString('base64');

export interface Planted {
  admin: Visitor;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  client: number;
  /** Top-level items of the drive. */
  items: number[];
}

/** Uses a running server at `base` like an office would, in every way that stores user input. */
export async function plant(base: string): Promise<Planted> {
  const admin = new Visitor(base);
  const own = { 'user-agent': `${P.browser}/1`, 'x-forwarded-for': P.address };
  await admin.arrive();
  const call: Planted['call'] = async (method, path, body, headers = {}) => {
    const got = await admin.call(method, path, {
      ...(body !== undefined && { body }),
      headers: { ...own, ...headers },
    });
    if (got.status >= 400) throw new Error(`${method} ${path}: ${got.status} ${got.text}`);
    return got;
  };
  const post = (path: string, body?: unknown) => call('POST', path, body);
  const send = async (name: string, content: Buffer, fields: Record<string, string> = {}) => {
    const more = Object.entries(fields).map(([field, body]) => ({ name: field, body }));
    const body = multipart([...more, filePart(name, content)]);
    const { json } = await call('POST', '/api/documents/upload', body, { 'content-type': CONTENT_TYPE });
    return json.data.id as number;
  };

  await post('/api/auth/register', {
    name: P.name,
    email: P.email,
    password: P.password,
    password_confirmation: P.password,
    ca_license_number: P.licence,
    phone: P.phone,
    firm_name: P.firm,
    terms_accepted: true,
  });

  const { json: made } = await post('/api/clients', {
    name: P.client,
    client_type: 'Individual',
    pan: P.pan,
    gstin: P.gstin,
    email: P.clientEmail,
    phone: P.clientPhone,
    notes: P.clientNotes,
    city: P.city,
  });
  const client = made.data.id as number;
  const { json: folder } = await post('/api/documents/folder', { name: P.folder, client_id: client });
  const top = folder.data.id as number;
  const file = await send(`${P.file} ${P.hindi}.csv`, Buffer.from(`Words\n${P.earlier}\n`));
  await send(`${P.file} ${P.hindi}.csv`, CSV, { conflict: 'replace' });
  const page = await send('a.pdf', PAGE);
  await send('setup.txt', Buffer.from(`#!/bin/sh\necho ${P.held}\n`));
  await call('PATCH', `/api/documents/${page}/rename`, { name: `${P.renamed}.pdf` });

  const { json: versions } = await call('GET', `/api/documents/${file}/versions`);
  const [earlier] = versions.data.earlier as { id: number }[];
  await call('PATCH', `/api/documents/${file}/versions/${earlier!.id}`, { kept_as: P.version });
  await post(`/api/documents/${file}/notes`, { text: P.note });
  await post('/api/labels', { name: P.label, colour: 'red' });
  await post('/api/templates', { name: P.template, outline: P.outline });
  const { json: sealed } = await post('/api/documents/folder', { name: 'For good' });
  await send('Audited.txt', Buffer.from('Figures'), { parent_id: String(sealed.data.id) });
  await post(`/api/documents/${sealed.data.id}/seal`, { reason: P.seal });
  await post(`/api/clients/${client}/hold`, { reason: P.hold });
  await post(`/api/clients/${client}/hold/lift`, { reason: 'Settled' });
  await post('/api/retention/rules', {
    name: P.rule,
    applies_to: 'folder',
    item_id: sealed.data.id,
    months: 96,
    counts_from: 'put_in',
  });
  await call('PUT', '/api/filing/pattern', { pattern: `${P.pattern} {type} {name}` });
  await call('PUT', '/api/billing/details', { name: P.buyer, address: '', gstin: '', state: '27' });

  const asked = { title: P.request, rows: [P.row], note: P.requestNote, client_ids: [client], send: true };
  await post('/api/requests', { ...asked, due_on: null, language: 'en' });
  await post('/api/requests/templates', { name: P.requestTemplate, rows: [P.row] });
  await post('/api/drop-links', { client_id: client });
  await post('/api/client-pages', { client_id: client, emails: P.visitor });
  const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const shared = { ids: [page], audience: 'named', emails: P.recipient, mode: 'view', expires_on: day };
  await post('/api/shares', { ...shared, password: P.sharePassword, notify: true });
  await post('/api/subscription/trial/start', {});
  await post('/api/team/invitations', { emails: P.invited, role: 'viewer' });

  await post('/api/app-passwords', { name: P.appPassword, current_password: P.password });
  const device = new Authenticator(base);
  const { json: creation } = await post('/api/auth/passkeys/options', { current_password: P.password });
  await post('/api/auth/passkeys', { name: P.passkey, response: device.create(creation.data) });
  const { json: pairing } = await post('/api/desktop/authorize', { name: P.device });
  await post('/api/desktop/token', {
    code: pairing.data.code,
    name: P.device,
    platform: 'linux-x64',
    version: '1.0.0',
  });

  // Calls that leave only a log line, which must not contain the words either.
  await call('GET', `/api/documents/search?query=${P.query}`);
  await call('GET', `/api/documents/search/inside?query=${P.query}`);
  for (const [path, body] of [
    [`/documents?q=${P.query}`, undefined],
    ['/api/auth/login', { email: P.recipient, password: P.password }],
    ['/api/clients', `{"name": "${P.client}`],
    ['/api/documents/compare', { files: [{ name: P.file, sha256: hashOf(CSV), size: CSV.length }] }],
  ] as const)
    await admin.call(body === undefined ? 'GET' : 'POST', path, { body, headers: own });
  await admin.call('PROPFIND', `/dav/${P.path}`, { headers: own });

  // A resumable upload that stays incomplete.
  const { headers } = await call('POST', '/api/documents/resumable', '', {
    ...TUS,
    'upload-length': String(2 * 1024 * 1024),
    'upload-metadata': `filename ${base64(`${P.staged}.csv`)}`,
  });
  const at = new URL(headers.get('location')!, base).pathname;
  await call('PATCH', at, Buffer.alloc(1024 * 1024, `${P.half} `), { ...TUS, 'upload-offset': '0' });
  return { admin, call, client, items: [top, file, page] };
}

const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/** Starts an upload and does not finish it. @returns how to abort it. */
export function sendHalf(base: string, { jar }: Visitor): () => void {
  const stop = new AbortController();
  const body = multipart([filePart(`${P.unsaved}.csv`, Buffer.alloc(2 * 1024 * 1024, `${P.otherHalf} `))]);
  const stream = new ReadableStream({
    start: (controller) => controller.enqueue(body.subarray(0, 1024 * 1024)),
  });
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  void fetch(`${base}/api/documents/upload`, {
    method: 'POST',
    headers: { cookie, 'x-xsrf-token': jar.get('XSRF-TOKEN')!, 'content-type': CONTENT_TYPE },
    body: stream,
    duplex: 'half',
    signal: stop.signal,
  } as RequestInit).catch(() => {});
  return () => stop.abort();
}
