import type { Language } from '#server/text/language.ts';
import type { Email, EmailPart } from './contract.ts';
import { textsIn } from './texts.ts';

/** What stands around every e-mail. */
export interface EmailFrame {
  /** The firm, or the product where there is none. */
  sender: string;
  appName: string;
  baseUrl: string;
  language: Language;
  /** The content id of the logo that is attached. */
  logo?: string;
}

const FONT =
  "font-family:'Inter','Segoe UI','Nirmala UI','Noto Sans','Noto Sans Devanagari',Helvetica,Arial,sans-serif";

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const ending = ({ sender, appName, baseUrl, language }: EmailFrame): string =>
  `${sender === appName ? appName : textsIn(language).uses(sender, appName)}, ${baseUrl}`;

function asText(part: EmailPart): string {
  if (typeof part === 'string') return part;
  if ('action' in part) return `${part.action}:\n${part.href}`;
  if ('facts' in part) return part.facts.map(([label, value]) => `${label}: ${value}`).join('\n');
  return part.note;
}

export function emailText(email: Email, head: EmailFrame): string {
  return `${email.parts.map(asText).join('\n\n')}\n\n-- \n${ending(head)}\n`;
}

function asHtml(part: EmailPart): string {
  if (typeof part === 'string') return `<p style="margin:0 0 16px">${escape(part)}</p>`;
  if ('action' in part) {
    const href = escape(part.href);
    // The address stands beside the button, for readers who check where a link goes, and for clients that cut links.
    return (
      `<p style="margin:24px 0 12px"><a href="${href}" style="display:inline-block;padding:11px 20px;border-radius:8px;` +
      `background:#2355c5;color:#ffffff;font-weight:600;text-decoration:none">${escape(part.action)}</a></p>` +
      `<p style="margin:0 0 24px;font-size:13px;line-height:20px;color:#545d6e;word-break:break-all">${href}</p>`
    );
  }
  if ('facts' in part) {
    const rows = part.facts.map(
      ([label, value]) =>
        `<tr><th scope="row" style="padding:4px 16px 4px 0;text-align:left;vertical-align:top;font-weight:400;color:#545d6e">` +
        `${escape(label)}</th><td style="padding:4px 0">${escape(value)}</td></tr>`,
    );
    return `<table style="margin:0 0 16px;border-collapse:collapse;font-size:15px">${rows.join('')}</table>`;
  }
  return `<p style="margin:0 0 16px;font-size:13px;line-height:20px;color:#545d6e">${escape(part.note)}</p>`;
}

/** Needs nothing from outside: no pictures but an attached logo, no style sheets, nothing that tells when it was read. */
export function emailHtml(email: Email, head: EmailFrame): string {
  return (
    `<!doctype html><html lang="${head.language}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light">` +
    `<title>${escape(email.subject)}</title></head>` +
    `<body style="margin:0;background:#f4f5f8;color:#161a23;${FONT};font-size:16px;line-height:24px">` +
    `<div style="max-width:560px;margin:0 auto;padding:32px 16px">` +
    (head.logo
      ? `<p style="margin:0 0 12px"><img src="cid:${head.logo}" alt="" height="48" style="display:block;height:48px;width:auto;max-width:240px"></p>`
      : '') +
    `<p style="margin:0 0 16px;font-weight:600">${escape(head.sender)}</p>` +
    `<div style="padding:28px 28px 12px;border:1px solid #e2e5ec;border-radius:12px;background:#ffffff">` +
    `${email.parts.map(asHtml).join('')}</div>` +
    `<p style="margin:16px 0 0;font-size:13px;line-height:20px;color:#545d6e">${escape(ending(head))}</p>` +
    `</div></body></html>\n`
  );
}

/**
 * A firm chooses its own name, and whoever registers chooses where the first e-mail goes: a name that reads like an
 * address would make us send strangers somebody's link.
 */
export function safeSender(firm: string | undefined, appName: string): string {
  const name = firm?.replace(/\s+/g, ' ').trim() ?? '';
  const linkLike = /:\/\/|www\.|@|[\p{L}\p{N}]\.[\p{L}]{2,}/iu.test(name);
  return name === '' || name.length > 80 || linkLike ? appName : name;
}
