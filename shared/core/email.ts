import { domainToASCII, domainToUnicode } from 'node:url';
import { foldCase } from './text.ts';

/** Returns the email with its domain in another form, or the same email if the domain has no such form. */
const withDomain = (email: string, formOf: (domain: string) => string): string => {
  const begin = email.lastIndexOf('@') + 1;
  const domain = email.slice(begin);
  return email.slice(0, begin) + (formOf(domain) || domain);
};

/** Characters of the longest domain. A longer one has no ASCII form that anyone could send. */
const maxDomain = 253;

const inAscii = (domain: string): string => {
  const ascii = /^[ -~]*$/.test(domain) ? domain : domainToASCII(domain);
  return ascii.length <= maxDomain ? ascii : domain;
};

/**
 * Emails with the same key belong to one customer: they are equal after NFC, lower-casing and NFC,
 * with the domain in its ASCII form (decisions §3). The key of a key is the key.
 */
export const emailKey = (email: string): string => withDomain(foldCase(email), inAscii);

/** Returns an email's key with the domain in its Unicode form, as people write it. */
export const unicodeEmail = (email: string): string => withDomain(emailKey(email), domainToUnicode);
