import { extensionOf } from '#server/text/extension.ts';
import { repairName } from '#server/text/file-names.ts';

/** Names by cameras, scanners and chats, which say nothing about the content. */
const MEANINGLESS_NAME =
  /^(?:(?:img|dsc|pxl|mvimg|vid|pic|photo|image|picture|scan|scanned|doc|document|file|download|untitled|new ?doc(?:ument)?|adobe ?scan|camscanner|whatsapp (?:image|document)|screenshot|attachment)(?:[\s_.-].*|\d.*|\(.*)?|[\d\s_.()-]+|[0-9a-f]{8}-[0-9a-f-]{27})$/i;

/** The name of a file in the drive: its own name, or the name of the requested document when its own is meaningless. */
export function sensibleName(fileName: string, requestedName: string | null): string {
  const extension = extensionOf(fileName);
  const stem = extension ? fileName.slice(0, -extension.length - 1) : fileName;
  if (requestedName === null || !MEANINGLESS_NAME.test(stem.trim())) return repairName(fileName);
  // The name's own dots and slashes, as in `Apr/May`, are repaired before the extension is put to it.
  return repairName(`${requestedName.replaceAll('/', '-').slice(0, 180)}.${extension}`);
}
