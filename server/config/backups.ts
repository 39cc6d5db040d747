import { isAbsolute, relative, resolve } from 'node:path';
import { withoutLogin } from '#storage/s3/address.ts';
import { KEEP } from '../backups/repository/retention-rule.ts';
import type { BackupSettings, S3Settings } from '../backups/settings.ts';
import type { ReadSetting } from './payments.ts';

const isWithin = (folder: string, other: string): boolean => {
  const difference = relative(folder, other);
  return difference === '' || (!difference.startsWith('..') && !isAbsolute(difference));
};

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/;
const BUCKET = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w.-]+)*\/?$/;

function readRule(text: string): BackupSettings['keep'] | undefined {
  const [, days, weeks, months] = /^(\d{1,3})d\s*(\d{1,3})w\s*(\d{1,3})m$/.exec(text) ?? [];
  if (!days || Number(days) < 1) return undefined;
  return { days: Number(days), weeks: Number(weeks), months: Number(months) };
}

/** The secret never appears in a message. */
function readS3(env: Record<string, string | undefined>, read: ReadSetting, problems: string[]): S3Settings {
  const keyId = env.BACKUP_S3_KEY_ID?.trim() ?? '';
  const secret = env.BACKUP_S3_SECRET?.trim() ?? '';
  if (keyId === '' || secret === '')
    problems.push('BACKUP_DIR is an S3 address, which takes BACKUP_S3_KEY_ID and BACKUP_S3_SECRET.');
  const region = read('BACKUP_S3_REGION', 'us-east-1', 'a region such as ap-south-1', (text) =>
    /^[\w-]+$/.test(text) ? text : undefined,
  );
  const endpoint = read(
    'BACKUP_S3_ENDPOINT',
    `https://s3.${region}.amazonaws.com`,
    'an https address (http only on this machine) such as https://s3.ap-south-1.amazonaws.com',
    (text) => {
      if (!URL.canParse(text)) return undefined;
      const { protocol, hostname, username, search, hash } = new URL(text);
      const safe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
      return safe && !username && !search && !hash ? text.replace(/\/+$/, '') : undefined;
    },
  );
  return { endpoint, region, keyId, secret };
}

/** @returns null when automatic backups are off. */
export function readBackups(
  env: Record<string, string | undefined>,
  read: ReadSetting,
  problems: string[],
  dataDir: string,
): BackupSettings | null {
  const minuteOfDay = read('BACKUP_AT', 90, 'a time of day such as 01:30', (text) => {
    const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
    return hour ? Number(hour) * 60 + Number(minute) : undefined;
  });
  const keep = read('BACKUP_KEEP', KEEP, 'days, weeks and months such as "7d 4w 12m"', readRule);
  const location = env.BACKUP_DIR?.trim();
  if (!location) return null;
  if (location.startsWith('s3:')) {
    if (!BUCKET.test(location))
      problems.push(
        `BACKUP_DIR should be like s3://bucket or s3://bucket/folder, but is "${withoutLogin(location)}".`,
      );
    return { place: location.replace(/\/$/, ''), at: minuteOfDay, keep, s3: readS3(env, read, problems) };
  }
  const target = resolve(location);
  if (!isAbsolute(location))
    problems.push(
      `BACKUP_DIR should be a whole path such as /mnt/backup, but is "${withoutLogin(location)}".`,
    );
  else if (isWithin(dataDir, target) || isWithin(target, dataDir))
    problems.push(
      `BACKUP_DIR and DATA_DIR lie in one another (${target}, ${dataDir}): what takes one would take both. Set BACKUP_DIR to another disk.`,
    );
  return { place: target, at: minuteOfDay, keep, s3: null };
}
