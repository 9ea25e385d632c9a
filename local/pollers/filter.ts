/** One rule of a Lambda event filter: a literal, a prefix, or presence. */
type Rule = string | number | boolean | null | { readonly prefix: string } | { readonly exists: boolean };

const meets = (rule: Rule, value: unknown): boolean => {
  if (typeof rule !== 'object' || rule === null) return value === rule;
  if ('prefix' in rule) return typeof value === 'string' && value.startsWith(rule.prefix);
  if ('exists' in rule) return (value !== undefined) === rule.exists;
  throw new Error(`The local runtime does not know the filter rule ${JSON.stringify(rule)}.`);
};

/** Lambda's filter semantics: every member of the pattern must match, of the rules in an array one must. */
export const matchesPattern = (pattern: object, value: unknown): boolean =>
  Object.entries(pattern).every(([name, part]) => {
    const member = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
    return Array.isArray(part) ? part.some((rule: Rule) => meets(rule, member)) : matchesPattern(part as object, member);
  });

/** A record passes when one of the patterns matches. */
export const matchesAny = (patterns: readonly object[], value: unknown): boolean =>
  patterns.some((pattern) => matchesPattern(pattern, value));
