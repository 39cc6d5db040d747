import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3Address } from '../address.ts';
import { createS3Client } from '../client.ts';

export interface TestServer {
  endpoint: string;
  keyId: string;
  secret: string;
  close(): Promise<void>;
}

/** S3's protocol with its signatures, without an S3 server. */
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
};

async function startImitation(): Promise<TestServer> {
  const directory = await mkdtemp(join(tmpdir(), 'almirah-s3-'));
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory });
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    keyId: 'S3RVER',
    secret: 'S3RVER',
    async close() {
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** Whether tests talk to a real S3 server: TEST_S3 names it as `endpoint key-id secret`, `npm run test:growth` starts one. */
export const isReal = process.env['TEST_S3'] !== undefined;

/** The S3 server that TEST_S3 names, or else an imitation. */
export async function testServer(): Promise<TestServer> {
  const [endpoint = '', keyId = '', secret = ''] = process.env['TEST_S3']?.split(' ') ?? [];
  return isReal ? { endpoint, keyId, secret, close: async () => {} } : startImitation();
}

let made = 0;

/** An address in a fresh bucket. */
export async function freshBucket({
  endpoint,
  keyId,
  secret,
}: Omit<TestServer, 'close'>): Promise<S3Address> {
  const bucket = `vault-${process.pid}-${Date.now()}-${(made += 1)}`;
  const where = {
    address: `s3://${bucket}/almirah`,
    bucket,
    prefix: 'almirah/',
    endpoint,
    region: 'us-east-1',
    keyId,
    secret,
  };
  const client = createS3Client(where);
  await client.ask({ method: 'PUT' });
  client.close();
  return where;
}
