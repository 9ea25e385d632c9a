const opensTag = (code: number): boolean =>
  (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 47 /* / */ || code === 33 /* ! */ || code === 63; /* ? */

const stripOnce = (text: string): string => {
  let out = '';
  let from = 0;
  let open = text.indexOf('<');
  while (open !== -1) {
    const comment = text.startsWith('<!--', open);
    const end = opensTag(text.charCodeAt(open + 1)) ? text.indexOf(comment ? '-->' : '>', open + 1) : -1;
    if (end === -1) {
      open = text.indexOf('<', open + 1);
      continue;
    }
    out += text.slice(from, open);
    from = end + (comment ? 3 : 1);
    open = text.indexOf('<', from);
  }
  return out + text.slice(from);
};

/**
 * Removes tags and comments, keeps their text; `5 < 6` is no tag. Stripping may join the halves of a tag that was hidden
 * in another (`<<b>b>`), so it repeats until nothing changes.
 */
export const stripHtml = (text: string): string => {
  let current = text;
  for (;;) {
    const next = stripOnce(current);
    if (next === current) return current;
    current = next;
  }
};
