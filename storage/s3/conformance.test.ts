import { randomBytes } from 'node:crypto';
import { CHUNK_BYTES } from '../chunks.ts';
import { conforms, drives } from '../conformance.ts';
import { deriveMasterKey } from '../masterkey.ts';
import { createSealedBlobs } from '../sealed.ts';
import { openS3Bytes } from './bytes.ts';
import { createS3Client } from './client.ts';
import { freshBucket, isReal, testServer } from './testing/server.ts';

const server = await testServer();
const clients: { close(): void }[] = [];
const bytes = async () => {
  const client = createS3Client(await freshBucket(server));
  clients.push(client);
  return openS3Bytes(client);
};
const master = deriveMasterKey(randomBytes(32));
const name = isReal ? 'S3' : 'an imitation of S3';

drives(name, bytes).run();
// With an imitation, chunks of full size would show nothing more.
if (isReal) {
  const store = async () => createSealedBlobs(await bytes(), master);
  conforms(`sealed over ${name}`, store, CHUNK_BYTES).run();
}
const small = async () => createSealedBlobs(await bytes(), master, { chunkBytes: 64 });
const last = conforms(`sealed over ${name}, small chunks`, small, 64);
last.after(async () => {
  for (const client of clients) client.close();
  await server.close();
});
last.run();
