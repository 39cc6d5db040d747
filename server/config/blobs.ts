import type { S3Address } from '#storage/s3/address.ts';
import { parseS3Address } from '#storage/s3/address.ts';

/** The S3 bucket for the bytes of files. @returns null when they stay in the data folder. */
export function readBlobs(env: Record<string, string | undefined>, problems: string[]): S3Address | null {
  const location = env.BLOBS?.trim();
  if (!location || location === 'disk') return null;
  const keyId = env.BLOBS_S3_KEY_ID?.trim() ?? '';
  const secret = env.BLOBS_S3_SECRET?.trim() ?? '';
  const wrong: string[] = [];
  const address = parseS3Address(location, { keyId, secret }, wrong);
  for (const what of wrong) problems.push(`BLOBS ${what}`);
  if (keyId === '' || secret === '')
    problems.push('BLOBS is an S3 address, which takes BLOBS_S3_KEY_ID and BLOBS_S3_SECRET.');
  return address;
}
