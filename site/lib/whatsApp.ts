import { tenDigits } from '#server/text/phone.ts';

/**
 * The URL that opens WhatsApp with a text, addressed to an Indian phone number. For any other number, or none, the user
 * chooses the recipient in WhatsApp.
 */
export function whatsAppUrl(phone: string | null | undefined, text: string): string {
  const digits = tenDigits(phone ?? '');
  return `https://wa.me/${digits === null ? '' : `91${digits}`}?text=${encodeURIComponent(text)}`;
}
