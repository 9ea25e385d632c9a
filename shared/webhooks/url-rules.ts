import { invalidValue } from '../core/errors.ts';
import { hasAtMostCharacters } from '../core/text.ts';
import { isAcceptableAddress, isLoopbackAddress } from './addresses.ts';
import type { DeliveryPolicy } from './policy.ts';

export const maxUrlLength = 2048;

/** Result of a check. `reason` is a sentence for the caller and never repeats the URL. */
type UrlJudgement = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly reason: string };

/**
 * Suffixes of names that exist only inside a network (decisions on webhook endpoints, with
 * `localdomain` and RFC 8375).
 */
const internalSuffixes = ['localhost', 'local', 'internal', 'localdomain', 'home.arpa'];

const rejectUrl = (reason: string): UrlJudgement => ({ ok: false, reason });

const isUnder = (name: string, suffix: string): boolean => name === suffix || name.endsWith(`.${suffix}`);

/**
 * Returns the address of a host that is an IP literal, without brackets. The URL parser has
 * normalized its spelling.
 */
const ipLiteralOf = (hostname: string): string | undefined => {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return /^[\d.]+$/.test(hostname) ? hostname : undefined;
};

const isLoopbackHost = (hostname: string): boolean => {
  const literal = ipLiteralOf(hostname);
  return literal === undefined ? isUnder(hostname, 'localhost') : isLoopbackAddress(literal);
};

const isInternalHost = (hostname: string, policy: DeliveryPolicy): boolean => {
  const literal = ipLiteralOf(hostname);
  if (literal !== undefined) return !isAcceptableAddress(literal, policy);
  if (policy.allowLoopback && isLoopbackHost(hostname)) return false;
  return !hostname.includes('.') || internalSuffixes.some((suffix) => isUnder(hostname, suffix));
};

/**
 * Checks the text of a webhook URL, at registration and before every attempt (§ Webhooks,
 * Registration rules). It resolves no names: the connection checks the addresses. It rejects
 * spellings on which URL parsers disagree (backslashes, white space, missing slashes).
 */
export const judgeUrl = (text: string, policy: DeliveryPolicy): UrlJudgement => {
  if (!hasAtMostCharacters(text, maxUrlLength)) return rejectUrl(`The URL must have at most ${maxUrlLength} characters.`);
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined || /[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) return rejectUrl('The URL must be a valid HTTPS URL.');
  if (authority.includes('@')) return rejectUrl('The URL must not carry credentials.');
  const url = new URL(text);
  const hostname = url.hostname.replace(/\.+$/, '');
  if (url.protocol !== 'https:' && !(policy.allowLoopback && isLoopbackHost(hostname))) return rejectUrl('The URL must use HTTPS.');
  if (isInternalHost(hostname, policy))
    return rejectUrl('The URL must not point at a private, internal, loopback, link-local or cloud-metadata address.');
  return { ok: true, url };
};

/** Throws 400 with the field `url` if the URL breaks the rules. */
export const assertUrl = (url: string, policy: DeliveryPolicy): void => {
  const judgement = judgeUrl(url, policy);
  if (!judgement.ok) throw invalidValue('url', judgement.reason);
};
