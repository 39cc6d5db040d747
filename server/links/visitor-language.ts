import type { Context } from 'koa';
import type { Language } from '#server/text/language.ts';
import { LANGUAGE_COOKIE, languageOf } from '#server/text/language.ts';

/** The language of whoever opens a link. @param client that of the client whom the link is for. */
export const visitorLanguage = (ctx: Context, client: Language | null = null): Language =>
  languageOf(ctx.cookies.get(LANGUAGE_COOKIE, { signed: false }), ctx.get('accept-language'), client);
