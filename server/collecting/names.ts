import { extensionOf } from '#server/text/extension.ts';
import { repairName } from '#server/text/names.ts';

/** Names that cameras, scanners and chats give, which tell nothing of what is in the file. */
const TELLS_NOTHING =
  /^(?:(?:img|dsc|pxl|mvimg|vid|pic|photo|image|picture|scan|scanned|doc|document|file|download|untitled|new ?doc(?:ument)?|adobe ?scan|camscanner|whatsapp (?:image|document)|screenshot|attachment)(?:[\s_.-].*|\d.*|\(.*)?|[\d\s_.()-]+|[0-9a-f]{8}-[0-9a-f-]{27})$/i;

/** What a file is called in the drive: as its sender called it, or by what it was asked for where that tells nothing. */
export function sensibleName(given: string, asked: string | null): string {
  const extension = extensionOf(given);
  const stem = extension ? given.slice(0, -extension.length - 1) : given;
  if (asked === null || !TELLS_NOTHING.test(stem.trim())) return repairName(given);
  // The name's own dots and slashes, as in `Apr/May`, are repaired before the extension is put to it.
  return repairName(`${asked.replaceAll('/', '-').slice(0, 180)}.${extension}`);
}
